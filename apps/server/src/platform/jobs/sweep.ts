import type { Kysely } from 'kysely'
import type { Clock } from '../clock.ts'
import type { Database } from '../database/schema.ts'
import type { Log } from '../log.ts'
import type { CleanUpFailures } from './clean-up-failures.ts'
import type { Jobs } from './jobs.ts'

/** Deletes expired records in small batches. */
export type Sweep = (db: Kysely<Database>) => Promise<void>

interface SweepParts {
  jobs: Jobs
  db: Kysely<Database>
  cleanUpFailures: Pick<CleanUpFailures, 'note'>
  log: Log
}

interface AllSweeps extends SweepParts {
  clock: Pick<Clock, 'isSteady'>
  sweeps: readonly Sweep[]
  /** For tables that grow by gigabytes an hour. */
  frequentSweeps: readonly Sweep[]
}

/** Runs a group of clean-ups every `seconds` seconds, on one node. A failing one does not stop the others. */
function defineSweeps(
  { jobs, db, cleanUpFailures, log }: SweepParts,
  name: string,
  seconds: number,
  all: readonly Sweep[],
  isAllowed = () => true,
): void {
  async function sweepAll(): Promise<'done'> {
    if (!isAllowed()) return 'done'
    for (const sweep of all) {
      try {
        await sweep(db)
        cleanUpFailures.note(sweep.name, seconds)
      } catch (err) {
        log.error({ err, sweep: sweep.name }, 'a clean-up job failed')
        cleanUpFailures.note(sweep.name, seconds, err)
      }
    }
    return 'done'
  }
  jobs.define(name, sweepAll, {
    retryDelay: 60,
    retryLimit: 2,
    longest: 900,
    pollInterval: 60,
    parallel: 1,
  })
  jobs.every(name, seconds)
}

/**
 * Runs the clean-up hourly, and every five minutes for fast-growing tables. While the clock may be wrong, nothing is
 * deleted because of its age.
 */
export function sweepRegularly({ sweeps, frequentSweeps, clock, ...parts }: AllSweeps): void {
  defineSweeps(parts, 'sweep', 3600, sweeps, clock.isSteady)
  defineSweeps(parts, 'sweep-often', 300, frequentSweeps, clock.isSteady)
}

/** Runs the clean-up of rows that callers without an account can create. */
export function sweepEveryMinute(parts: SweepParts, sweeps: readonly Sweep[]): void {
  defineSweeps(parts, 'sweep-minutely', 60, sweeps)
}
