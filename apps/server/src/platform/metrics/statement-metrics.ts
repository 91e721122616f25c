import { add, type Durations, noDurations, valueAt } from './durations.ts'
import type { Scrape } from './scrape.ts'

/** Upper bounds in seconds. A statement of a call ends after 1.5 s. */
const bounds = [0.01, 0.1, 1, 10]

/**
 * Why a valid statement failed: its time limit, the limit of its wait for a lock, no connection that became free in
 * time, no answer of the database, or no space on its disk.
 */
export type StatementFault = 'timeout' | 'lock' | 'no_connection' | 'unavailable' | 'disk_full'

interface Statements {
  durations: Durations
  faults: Map<string, number>
}

const noStatements = (): Statements => ({ durations: noDurations(), faults: new Map() })

/** Returns the label of a kind of work. Each route, queue and type of task is a kind, which would be too many series. */
function labelOf(kind: string): string {
  if (/^[A-Z]+ /.test(kind)) return 'calls'
  return /^(?:job|task) /.test(kind) ? `${kind.slice(0, kind.indexOf(' '))}s` : kind
}

/** Counts statements and their faults by kind of work, in plain numbers (decision record 242). */
export function createStatementMetrics() {
  const byLabel = new Map<string, Statements>()
  const byKind = new Map<string, Statements>()

  const statementsOf = (kind: string): Statements =>
    byKind.get(kind) ?? valueAt(byKind, kind, () => valueAt(byLabel, labelOf(kind), noStatements))

  return {
    observe(kind: string, seconds: number): void {
      add(statementsOf(kind).durations, bounds, seconds)
    },

    fail(kind: string, reason: StatementFault): void {
      const { faults } = statementsOf(kind)
      faults.set(reason, (faults.get(reason) ?? 0) + 1)
    },

    /** Adds the counts to a scrape. */
    write({ counters, histogram }: Scrape): void {
      const rows = [...byLabel].map(([kind, statements]) => ({ labels: { kind }, ...statements }))
      histogram(
        'pult_database_statement_seconds',
        'Durations of statements by kind of work.',
        bounds,
        rows.map(({ labels, durations }) => ({ labels, ...durations })),
      )
      counters(
        'pult_database_statement_errors_total',
        'Valid statements that failed, by kind of work and reason.',
        ['kind', 'reason'],
        rows.flatMap(({ labels, faults }) =>
          [...faults].map(([reason, total]) => ({ labels: { ...labels, reason }, total })),
        ),
      )
    },
  }
}

/** The statements of this process. */
export const statementMetrics = createStatementMetrics()
