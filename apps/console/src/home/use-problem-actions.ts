import type { Problem } from '@pult/contract'
import { showNotification } from '#platform/console-host.ts'
import { texts } from '#platform/desk/desk.texts.ts'
import { useProblemWords } from '#platform/desk/problem-words.ts'
import { goTo } from '#platform/go-to.ts'
import { notify } from '#platform/notify.ts'
import { useArchive, useDiagnose, useRestart, useRestoreTask, useRetry } from './home.queries.ts'
import type { HomeRights } from './home-part.ts'
import { useResendInvitation } from './use-resend-invitation.ts'

const words = texts.home

export interface ProblemAction {
  label: string
  /** Resolves when home shows the result. */
  act: () => void | Promise<void>
}

/** Returns the actions that the user may run on a problem: the most helpful one first, a dismissal last. */
export function useProblemActions(
  projectId: string,
  { mayManageEdges }: HomeRights,
  showLog: (taskId: string, title: string) => void,
): (problem: Problem) => ProblemAction[] {
  const { mutateAsync: diagnose } = useDiagnose(projectId)
  const { mutateAsync: restart } = useRestart(projectId)
  const { mutateAsync: retry } = useRetry(projectId)
  const { mutateAsync: archive } = useArchive(projectId)
  const { mutateAsync: restoreTask } = useRestoreTask(projectId)
  const resend = useResendInvitation(projectId)
  const wordsOf = useProblemWords()
  /** Reports failures only, because the card of tasks shows a success. */
  const reportingFailure = (action: () => Promise<unknown>, failed: string) => async () => {
    try {
      await action()
    } catch (error) {
      notify.error(failed, error)
    }
  }
  const open = (edgeId: string): ProblemAction => ({
    label: words.open,
    act: () => goTo(`/app/edges/edit/${edgeId}`),
  })
  return (problem) => {
    switch (problem.kind) {
      case 'edgeOffline':
        // The agent is unreachable, so the edge's page shows its last known state.
        return [open(problem.edge._id)]
      case 'diskFull': {
        const { _id } = problem.edge
        return mayManageEdges
          ? [
              { label: words.diagnose, act: reportingFailure(() => diagnose(_id), words.diagnoseFailed) },
              open(_id),
            ]
          : [open(_id)]
      }
      case 'programStopped': {
        const { edge, program, canRestart } = problem
        const restarting = () => restart({ edgeId: edge._id, programId: program._id })
        return canRestart && mayManageEdges
          ? [{ label: words.restart, act: reportingFailure(restarting, words.restartFailed) }, open(edge._id)]
          : [open(edge._id)]
      }
      case 'taskFailed': {
        const { _id } = problem.task
        const { subject } = wordsOf(problem)
        const archiving = async () => {
          await archive(_id)
          showNotification({ title: words.archived(subject), tone: 'success', undo: () => restoreTask(_id) })
        }
        return [
          ...(problem.mayRetry
            ? [{ label: words.retry, act: reportingFailure(() => retry(_id), words.retryFailed) }]
            : []),
          { label: words.showLog, act: () => showLog(_id, subject) },
          ...(problem.mayEnd
            ? [{ label: words.archive, act: reportingFailure(archiving, words.archiveFailed) }]
            : []),
        ]
      }
      case 'invitationExpires':
        return [{ label: words.resend, act: () => resend(problem.invitation, problem.email) }]
    }
  }
}
