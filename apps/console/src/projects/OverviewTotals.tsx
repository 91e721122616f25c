import type { FleetCounts, Overview, Severity } from '@pult/contract'
import { type DataCardState, StateBar } from '@pult/ui'
import type { ReactNode } from 'react'
import { texts } from '#platform/desk/desk.texts.ts'
import { partsOf } from '#platform/desk/fleet-parts.ts'
import styles from './OverviewTotals.module.css'

const words = texts.overview

interface OverviewTotalsProps {
  summary: NonNullable<Overview['summary']>
  state: DataCardState
}

/** The totals of all projects that the user may see, as tiles. */
export function OverviewTotals({ summary, state }: OverviewTotalsProps) {
  const { edges, problems, tasks, attention } = summary
  return (
    <dl className={styles.totals} data-stale={state.kind === 'stale' || undefined}>
      {edges !== null && (
        <Total name={words.edgesInAll} value={edges.total} detail={stateWords(edges)} isWide>
          <StateBar legend={false} parts={partsOf(edges)} />
        </Total>
      )}
      <Total name={words.problemsOpen} value={problems} tone={attention[0]?.severity} />
      <Total
        name={words.tasksRunning}
        value={tasks.running}
        detail={tasks.failed > 0 && words.failed(tasks.failed)}
      />
    </dl>
  )
}

const stateWords = (counts: FleetCounts) =>
  partsOf(counts)
    .filter(({ count }) => count > 0)
    .map(({ count, label }) => `${count} ${label}`)
    .join(' · ')

interface TotalProps {
  name: string
  value: number
  detail?: ReactNode
  isWide?: boolean
  /** The worst status among the counted items. */
  tone?: Severity | undefined
  children?: ReactNode
}

function Total({ name, value, detail, isWide, tone, children }: TotalProps) {
  return (
    <div className={styles.total} data-wide={isWide || undefined} data-tone={tone}>
      <dt>{name}</dt>
      <dd>
        <span className={styles.value}>{value.toLocaleString(document.documentElement.lang)}</span>
        {Boolean(detail) && <span className={styles.detail}>{detail}</span>}
        {children}
      </dd>
    </div>
  )
}
