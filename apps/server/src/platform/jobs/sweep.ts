import type { Kysely } from 'kysely'
import type { Database } from '../database/schema.ts'
import type { Log } from '../log.ts'
import type { Jobs } from './jobs.ts'

/** Deletes expired records in small batches. */
export type Sweep = (db: Kysely<Database>) => Promise<void>

interface SweepParts {
  jobs: Jobs
  db: Kysely<Database>
  sweeps: readonly Sweep[]
  /** For tables that grow by gigabytes an hour. */
  frequentSweeps: readonly Sweep[]
  log: Log
}

/**
 * Runs the clean-up on one node: hourly, and every five minutes for fast-growing tables. A failing job does not stop
 * the others.
 */
export function sweepRegularly({ jobs, db, sweeps, frequentSweeps, log }: SweepParts): void {
  function define(name: string, seconds: number, all: readonly Sweep[]): void {
    async function sweepAll(): Promise<'done'> {
      for (const sweep of all) {
        try {
          await sweep(db)
        } catch (err) {
          log.error({ err, sweep: sweep.name }, 'a clean-up job failed')
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
  define('sweep', 3600, sweeps)
  define('sweep-often', 300, frequentSweeps)
}
