import type { Problem } from '@pult/contract'
import { Button, DataCard, Elapsed, Link, StatusShape } from '@pult/ui'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { lazy, Suspense, useState } from 'react'
import { showNotification } from '#platform/console-host.ts'
import { ActionsMenu, type MenuAction } from '#platform/desk/ActionsMenu.tsx'
import { texts } from '#platform/desk/desk.texts.ts'
import { useProblemWords } from '#platform/desk/problem-words.ts'
import { goTo } from '#platform/go-to.ts'
import { notify } from '#platform/notify.ts'
import { useArchive, useDiagnose, useRestart, useRestoreTask, useRetry } from './home.queries.ts'
import type { HomePartProps, HomeRights } from './home-part.ts'
import styles from './ProblemsCard.module.css'
import { useResendDeed } from './use-resend-deed.ts'

const words = texts.home
const shownAtFirst = 5

// Dialogs are large and rarely needed.
const LogDialog = lazy(async () => ({ default: (await import('./LogDialog.tsx')).LogDialog }))

type Deed = MenuAction & { act: () => void }

/** The problems of a project, the worst first, each with the deed that helps. Absent while nothing is wrong. */
export function ProblemsCard({ project, home, state, rights }: HomePartProps) {
  const [isWhole, setWhole] = useState(false)
  const [log, setLog] = useState<{ taskId: string; title: string } | null>(null)
  const wordsOf = useProblemWords()
  const problems = home?.problems ?? []
  const deedsOf = useDeeds(project._id, rights, (taskId, title) => setLog({ taskId, title }))
  if (home === undefined || problems.length === 0) return null

  const shown = isWhole ? problems : problems.slice(0, shownAtFirst)
  const hidden = home.problemsTotal - shown.length
  const oldest = problems
    .map((problem) => wordsOf(problem).since)
    .filter((since) => since !== null)
    .toSorted()[0]
  return (
    <DataCard
      className={styles.card}
      flush
      state={state}
      title={
        <span className={styles.title}>
          <TriangleAlert aria-hidden="true" />
          {texts.problems(home.problemsTotal)}
        </span>
      }
      {...(oldest !== undefined && {
        detail: (
          <>
            · {words.oldest} <Elapsed since={oldest} />
          </>
        ),
      })}
    >
      <ul aria-label={words.problemsTitle}>
        {shown.map((problem) => (
          <ProblemRow key={problem.id} problem={problem} deeds={deedsOf(problem)} />
        ))}
      </ul>
      {hidden > 0 && !isWhole && (
        <button type="button" className={styles.more} onClick={() => setWhole(true)}>
          {texts.more(hidden)}
        </button>
      )}
      {log && (
        <Suspense fallback={null}>
          <LogDialog projectId={project._id} {...log} onClose={() => setLog(null)} />
        </Suspense>
      )}
    </DataCard>
  )
}

function ProblemRow({ problem, deeds }: { problem: Problem; deeds: readonly Deed[] }) {
  const { status, subject, what, since, why } = useProblemWords()(problem)
  const href = 'edge' in problem ? `/app/edges/edit/${problem.edge._id}` : undefined
  const [first, ...others] = deeds
  return (
    <li className={styles.row}>
      <StatusShape
        status={status}
        label={texts.severity[status === 'failed' ? 'failed' : problem.severity]}
      />
      <span className={styles.words}>
        <span className={styles.what}>
          {href === undefined ? (
            <b>{subject}</b>
          ) : (
            <Link className={styles.subject} href={href}>
              {subject}
            </Link>
          )}{' '}
          {what}
          {since !== null && (
            <span className={styles.quiet}>
              {' · '}
              <Elapsed since={since} />
            </span>
          )}
        </span>
        <span className={styles.why} title={why}>
          {why}
        </span>
      </span>
      <span className={styles.deeds} data-single={deeds.length === 1 || undefined}>
        {first && <Button onClick={first.act}>{first.label}</Button>}
        {others.map(({ label, act }) => (
          <Button key={label} variant="ghost" onClick={act}>
            {label}
          </Button>
        ))}
      </span>
      {deeds.length > 1 && (
        <span className={styles.menu}>
          <ActionsMenu label={words.deedsOf(subject)} actions={deeds} />
        </span>
      )}
    </li>
  )
}

/** The deeds of a problem that the user may do, the most helpful one first. */
function useDeeds(
  projectId: string,
  { mayManageEdges }: HomeRights,
  showLog: (taskId: string, title: string) => void,
): (problem: Problem) => Deed[] {
  const { mutateAsync: diagnose } = useDiagnose(projectId)
  const { mutateAsync: restart } = useRestart(projectId)
  const { mutateAsync: retry } = useRetry(projectId)
  const { mutateAsync: archive } = useArchive(projectId)
  const { mutateAsync: restoreTask } = useRestoreTask(projectId)
  const resend = useResendDeed(projectId)
  const wordsOf = useProblemWords()
  const report = async (
    deed: () => Promise<unknown>,
    done: string,
    failed: string,
    undo?: () => Promise<unknown>,
  ) => {
    try {
      await deed()
      showNotification({ title: done, tone: 'success', undo })
    } catch (error) {
      notify.error(failed, error)
    }
  }
  const open = (edgeId: string): Deed => ({
    label: words.open,
    act: () => goTo(`/app/edges/edit/${edgeId}`),
  })
  return (problem) => {
    switch (problem.kind) {
      case 'edgeOffline':
        // Its agent cannot be asked. The edge's page has what is known.
        return [open(problem.edge._id)]
      case 'diskFull': {
        const { _id, label } = problem.edge
        const diagnosis = () => report(() => diagnose(_id), words.diagnosing(label), words.diagnoseFailed)
        return mayManageEdges
          ? [{ label: words.diagnose, act: () => void diagnosis() }, open(_id)]
          : [open(_id)]
      }
      case 'programStopped': {
        const { edge, program, canRestart } = problem
        const restarting = () =>
          report(
            () => restart({ edgeId: edge._id, programId: program._id }),
            words.restarting(program.label),
            words.restartFailed,
          )
        return canRestart && mayManageEdges
          ? [{ label: words.restart, act: () => void restarting() }, open(edge._id)]
          : [open(edge._id)]
      }
      case 'taskFailed': {
        const { _id } = problem.task
        const { subject } = wordsOf(problem)
        const archiving = () =>
          report(
            () => archive(_id),
            words.archived(subject),
            words.archiveFailed,
            () => restoreTask(_id),
          )
        const retrying = () => report(() => retry(_id), words.retried(subject), words.retryFailed)
        return [
          ...(problem.mayRetry ? [{ label: words.retry, act: () => void retrying() }] : []),
          { label: words.showLog, act: () => showLog(_id, subject) },
          ...(problem.mayEnd ? [{ label: words.archive, act: () => void archiving() }] : []),
        ]
      }
      case 'invitationExpires':
        return [{ label: words.resend, act: () => void resend(problem.invitation, problem.email) }]
    }
  }
}
