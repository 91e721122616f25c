import type { Problem } from '@pult/contract'
import { Button, DataCard, Elapsed, Link, StatusShape } from '@pult/ui'
import Check from 'lucide-react/icons/check'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { lazy, Suspense, useState } from 'react'
import { ActionsMenu } from '#platform/desk/ActionsMenu.tsx'
import { texts } from '#platform/desk/desk.texts.ts'
import { useProblemWords } from '#platform/desk/problem-words.ts'
import type { HomePartProps } from './home-part.ts'
import styles from './ProblemsCard.module.css'
import { useKeptFocus } from './use-kept-focus.ts'
import { type ShownRow, useLeavingRows } from './use-leaving-rows.ts'
import { type ProblemAction, useProblemActions } from './use-problem-actions.ts'

const words = texts.home
const shownAtFirst = 5

// Dialogs are large and rarely needed.
const LogDialog = lazy(async () => ({ default: (await import('./LogDialog.tsx')).LogDialog }))

/** The problems of a project, the worst first, each with its most helpful action. Renders nothing without problems. */
export function ProblemsCard({ project, home, state, rights }: HomePartProps) {
  const [isWhole, setWhole] = useState(false)
  const [log, setLog] = useState<{ taskId: string; title: string } | null>(null)
  const wordsOf = useProblemWords()
  const rows = useLeavingRows(home?.problems)
  const kept = useKeptFocus()
  const actionsOf = useProblemActions(project._id, rights, (taskId, title) => setLog({ taskId, title }))
  if (home === undefined || rows.length === 0) return null

  const { problems, problemsTotal } = home
  const isCut = problemsTotal > problems.length
  const most = !isWhole ? shownAtFirst : isCut ? problems.length : Number.POSITIVE_INFINITY
  const hidden = problemsTotal - Math.min(problems.length, most)
  const last = problems.at(-1)
  const oldest = problems
    .map((problem) => wordsOf(problem).since)
    .filter((since) => since !== null)
    .toSorted()[0]
  return (
    <DataCard
      className={problems[0] && styles[problems[0].severity]}
      flush
      state={state}
      title={
        <span className={styles.title}>
          {problems.length > 0 && <TriangleAlert aria-hidden="true" />}
          {problems.length > 0 ? texts.problems(problemsTotal) : texts.allWell}
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
      <ul aria-label={words.problemsTitle} {...kept}>
        {upTo(most, rows).map((shown) => (
          <ProblemRow key={shown.row.id} {...shown} actions={actionsOf(shown.row)} />
        ))}
      </ul>
      {hidden > 0 && !isWhole && (
        <button type="button" className={styles.more} onClick={() => setWhole(true)}>
          {texts.more(hidden)}
        </button>
      )}
      {hidden > 0 && isWhole && last && (
        <Link className={styles.more} href={placeOf(last)}>
          {texts.more(hidden)}
        </Link>
      )}
      {log && (
        <Suspense fallback={null}>
          <LogDialog projectId={project._id} {...log} onClose={() => setLog(null)} />
        </Suspense>
      )}
    </DataCard>
  )
}

/** The first `most` rows, and leaving rows among them. */
function upTo(most: number, rows: readonly ShownRow<Problem>[]): readonly ShownRow<Problem>[] {
  let left = most
  return rows.filter(({ isLeaving }) => (isLeaving ? left > 0 : left-- > 0))
}

/** The page that lists further problems, because a response contains at most fifty. */
function placeOf(problem: Problem): string {
  if ('edge' in problem) return '/app/edges'
  return problem.kind === 'taskFailed' ? '/tasks?state=failed' : '/app/project-details/people'
}

interface ProblemRowProps extends Omit<ShownRow<Problem>, 'row'> {
  row: Problem
  actions: readonly ProblemAction[]
}

function ProblemRow({ row: problem, isNew, isLeaving, actions }: ProblemRowProps) {
  const [pending, setPending] = useState<string | null>(null)
  const { status, subject, what, since, why } = useProblemWords()(problem)
  const href = 'edge' in problem ? `/app/edges/edit/${problem.edge._id}` : undefined
  const run = async ({ label, act }: ProblemAction) => {
    if (pending !== null) return
    setPending(label)
    await act()
    setPending(null)
  }
  // The row shows one action and one dismissal. The menu contains all of them.
  const shown = actions.length > 2 ? [...actions.slice(0, 1), ...actions.slice(-1)] : actions
  const reason = isLeaving ? words.takenCareOf : pending === null ? why : words.underWay(pending)
  return (
    <li
      className={styles.row}
      data-new={isNew || undefined}
      data-leaving={isLeaving || undefined}
      inert={isLeaving}
      aria-hidden={isLeaving || undefined}
      aria-busy={pending !== null || undefined}
    >
      {isLeaving ? (
        <Check className={styles.tick} />
      ) : (
        <StatusShape
          status={status}
          label={texts.severity[status === 'failed' ? 'failed' : problem.severity]}
        />
      )}
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
        <span className={styles.why} title={reason}>
          {reason}
        </span>
      </span>
      <span className={styles.actions} data-single={actions.length === 1 || undefined}>
        {shown.map((action, index) => (
          <Button
            key={action.label}
            variant={index === 0 ? 'secondary' : 'ghost'}
            pending={pending === action.label}
            onClick={() => void run(action)}
          >
            {action.label}
          </Button>
        ))}
      </span>
      {actions.length > 1 && (
        <span className={styles.menu} data-more={actions.length > shown.length || undefined}>
          <ActionsMenu
            label={words.actionsOf(subject)}
            actions={actions.map((action) => ({ label: action.label, act: () => void run(action) }))}
          />
        </span>
      )}
    </li>
  )
}
