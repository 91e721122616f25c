import type { Kysely } from 'kysely'
import type { Database } from '../database/schema.ts'
import type { Log } from '../log.ts'
import type { Jobs } from './jobs.ts'

/** Deletes what is no longer needed, in portions that are short for the database. */
export type Sweep = (db: Kysely<Database>) => Promise<void>

interface SweepParts {
  jobs: Jobs
  db: Kysely<Database>
  sweeps: readonly Sweep[]
  log: Log
}

/** Once an hour one node cleans up for all. A sweep that fails does not keep the others from running. */
export function sweepRegularly({ jobs, db, sweeps, log }: SweepParts): void {
  async function sweepAll(): Promise<'done'> {
    for (const sweep of sweeps) {
      try {
        await sweep(db)
      } catch (err) {
        log.error({ err, sweep: sweep.name }, 'a sweep failed')
      }
    }
    return 'done'
  }
  jobs.define('sweep', sweepAll, {
    retryDelay: 60,
    retryLimit: 2,
    longest: 900,
    pollInterval: 60,
    parallel: 1,
  })
  jobs.schedule('sweep', '17 * * * *')
}
