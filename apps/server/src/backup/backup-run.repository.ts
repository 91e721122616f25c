import { type Kysely, type RawBuilder, sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { isWithin } from '#platform/database/clock.ts'
import { isInService } from '#platform/database/in-service.ts'
import type { Database } from '#platform/database/schema.ts'
import type { Progress } from './make-backup.ts'

export interface LastRuns {
  running: { startedAt: Date; progress: Progress | null } | null
  failure: { at: Date; reason: string } | null
  missing: number
  /** The time of the newest backup's data. */
  madeAt: Date | null
  provenAt: Date | null
  drillFailure: { at: Date; reason: string } | null
}

/** The reason of a run whose server was stopped, for example to update it. */
export const stopReason = 'it was interrupted: its server was stopped'

/** A run that its node has not renewed for this time is lost. */
const lostAfter = sql`interval '1 minute'`

/** Runs older than this are deleted. */
const forgottenAfter = sql`interval '400 days'`

/** The reason of a run whose server was killed. */
const lostReason = 'it was interrupted: its server ended'

const isOpen = sql<boolean>`(ended_at is null and ${isWithin(sql`seen_at`, lostAfter)})`

/** Whether the clock was right when the run began: a run of the future hides no later one. */
const isOfPast = isWithin(sql`started_at`, forgottenAfter)

/** Why a run failed. A run whose node was killed has not recorded its reason. */
const isLost = sql<boolean>`(ended_at is null and not ${isWithin(sql`seen_at`, lostAfter)})`
const isInDrill = sql<boolean>`(archive is not null and step in ('verify', 'restore', 'compare'))`
const errorOf = sql<string | null>`case when ${isLost} and archive is null then ${lostReason} else error end`
const proofErrorOf = sql<
  string | null
>`case when ${isLost} and ${isInDrill} then ${lostReason} else proof_error end`
const endOf = sql<Date>`coalesce(ended_at, seen_at)`

export function createBackupRunRepository(db: Kysely<Database>) {
  const runs = db.selectFrom('backup_run')

  return {
    /** Ends lost runs and returns their archives and reasons. */
    endLost: () =>
      db
        .updateTable('backup_run')
        .set({ ended_at: sql<Date>`seen_at`, step: null, error: errorOf, proof_error: proofErrorOf })
        .where(isLost)
        .returning(['archive', 'error', 'proof_error as proofError'])
        .execute(),

    /** Returns the id of the new run; undefined if one is open. */
    async add(cause: 'schedule' | 'root', personId: string | null): Promise<string | undefined> {
      const row = await db
        .insertInto('backup_run')
        .values({ id: uuidv7(), cause, person_id: personId })
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .executeTakeFirst()
      return row?.id
    },

    async renew(id: string, progress: Progress | undefined): Promise<void> {
      await db
        .updateTable('backup_run')
        .set({
          seen_at: sql<Date>`now()`,
          ...progress,
        })
        .where('id', '=', id)
        .execute()
    },

    async setArchive(
      id: string,
      made: { archive: string; files: number; missing: number },
      progress: Progress | undefined,
    ): Promise<void> {
      await db
        .updateTable('backup_run')
        .set({ ...made, ...progress })
        .where('id', '=', id)
        .execute()
    },

    async end(
      id: string,
      outcome: { error?: string; proofError?: string; isProven?: boolean },
    ): Promise<void> {
      await db
        .updateTable('backup_run')
        .set({
          ended_at: sql<Date>`now()`,
          step: null,
          error: outcome.error ?? null,
          proof_error: outcome.proofError ?? null,
          proven_at: outcome.isProven === true ? sql<Date>`now()` : null,
        })
        .where('id', '=', id)
        .where('ended_at', 'is', null)
        .execute()
    },

    /** Removes a run that has not begun, so that it counts neither as an attempt nor as a failure. */
    async remove(id: string): Promise<void> {
      await db.deleteFrom('backup_run').where('id', '=', id).execute()
    },

    async last(): Promise<LastRuns> {
      const [open, ended, drilled, newest] = await Promise.all([
        runs.select(['started_at', 'step', 'done', 'total']).where(isOpen).executeTakeFirst(),
        runs
          .select([endOf.as('at'), errorOf.as('reason'), 'missing'])
          .where(sql<boolean>`not ${isOpen} and ${isOfPast}`)
          .orderBy('started_at', 'desc')
          .limit(1)
          .executeTakeFirst(),
        runs
          .select([endOf.as('at'), proofErrorOf.as('reason')])
          .where(sql<boolean>`(proven_at is not null or ${proofErrorOf} is not null) and ${isOfPast}`)
          .orderBy('started_at', 'desc')
          .limit(1)
          .executeTakeFirst(),
        runs
          .select(({ fn }) => [
            fn.max('started_at').filterWhere('archive', 'is not', null).as('madeAt'),
            fn.max('proven_at').filterWhere(isWithin(sql`proven_at`, forgottenAfter)).as('provenAt'),
          ])
          .where(isOfPast)
          .executeTakeFirst(),
      ])
      return {
        running: open ? { startedAt: open.started_at, progress: progressIn(open) } : null,
        failure: failureIn(ended),
        missing: ended?.missing ?? 0,
        madeAt: newest?.madeAt ?? null,
        provenAt: newest?.provenAt ?? null,
        drillFailure: failureIn(drilled),
      }
    },

    /**
     * Returns the times of the first and the last failure of a step since its last success; null without one. A stop of
     * the server is no failure.
     */
    async failuresOf(step: 'backup' | 'drill'): Promise<{ first: Date; last: Date; now: Date } | null> {
      const error = sql.ref<string | null>(step === 'backup' ? 'error' : 'proof_error')
      const success = sql.ref(step === 'backup' ? 'archive' : 'proven_at')
      const row = await runs
        .select(({ fn }) => [
          fn.min('ended_at').as('first'),
          fn.max('ended_at').as('last'),
          sql<Date>`now()`.as('now'),
        ])
        .where(sql<boolean>`ended_at is not null and ${error} <> ${stopReason} and ${isOfPast}`)
        .where(
          sql<boolean>`started_at > coalesce(
            (select max(started_at) from backup_run where ${success} is not null and ${isOfPast}), '-infinity')`,
        )
        .executeTakeFirstOrThrow()
      const { first, last, now } = row
      return first === null || last === null ? null : { first, last, now }
    },

    /** Returns the times at which archives were proven, by name. */
    async provenArchives(): Promise<Map<string, Date>> {
      const rows = await runs
        .select(['archive', 'proven_at'])
        .where('archive', 'is not', null)
        .where('proven_at', 'is not', null)
        .execute()
      return new Map(
        rows.flatMap(({ archive, proven_at }) =>
          archive === null || proven_at === null ? [] : [[archive, proven_at] as const],
        ),
      )
    },

    /** Returns whether scheduled backups may run: those of a copy would be among the original's. */
    async isInService(): Promise<boolean> {
      const { rows } = await sql<{ isIn: boolean }>`select ${isInService} as "isIn"`.execute(db)
      return rows[0]?.isIn === true
    },

    /** Returns the present of the database, whose clock writes the times of the runs. */
    async now(): Promise<Date> {
      const { rows } = await sql<{ now: Date }>`select now() as now`.execute(db)
      return rows[0]?.now ?? new Date()
    },

    /** Counts the scheduled runs from a time until now. `isRecent`: one began within `interval` milliseconds. */
    async scheduledSince(
      time: Date,
      interval: number,
    ): Promise<{ attempts: number; isMade: boolean; isRecent: boolean }> {
      const startedWithin = (age: RawBuilder<unknown>) => isWithin(sql`started_at`, age)
      const { attempts, made, isRecent } = await runs
        .select(({ fn }) => [
          fn.countAll<string>().as('attempts'),
          fn.count<string>('archive').as('made'),
          sql<boolean | null>`bool_or(${startedWithin(milliseconds(interval))})`.as('isRecent'),
        ])
        .where('cause', '=', 'schedule')
        .where(startedWithin(sql`(now() - ${time}::timestamptz)`))
        .executeTakeFirstOrThrow()
      return { attempts: Number(attempts), isMade: Number(made) > 0, isRecent: isRecent === true }
    },

    /** Returns whether a drill has restored a backup that began within so many milliseconds. */
    async isProvenWithin(interval: number): Promise<boolean> {
      const row = await runs
        .select('id')
        .where('proven_at', 'is not', null)
        .where(isWithin(sql`started_at`, milliseconds(interval)))
        .limit(1)
        .executeTakeFirst()
      return row !== undefined
    },

    /** Returns one verified address of each root that can sign in, the default if it is verified. */
    async addressesOfRoots(): Promise<string[]> {
      const rows = await db
        .selectFrom('person')
        .innerJoin('email', 'email.person_id', 'person.id')
        .distinctOn('person.id')
        .select('email.email')
        .where('person.is_root', '=', true)
        .where('person.disabled_at', 'is', null)
        .where('email.verified_at', 'is not', null)
        .orderBy('person.id')
        .orderBy('email.is_default', 'desc')
        .orderBy('email.created_at')
        .execute()
      return rows.map(({ email }) => email)
    },
  }
}

/** Deletes runs past their retention. As a clean-up it waits while the clock may be wrong. */
export async function sweepBackupRuns(db: Kysely<Database>): Promise<void> {
  await db.deleteFrom('backup_run').where(sql<boolean>`started_at < now() - ${forgottenAfter}`).execute()
}

const milliseconds = (interval: number) => sql`make_interval(secs => ${interval / 1000}::float8)`

const failureIn = (row: { at: Date; reason: string | null } | undefined) =>
  row === undefined || row.reason === null ? null : { at: row.at, reason: row.reason }

function progressIn(row: {
  step: string | null
  done: number | null
  total: number | null
}): Progress | null {
  const { step, done, total } = row
  return step === null || done === null || total === null
    ? null
    : { step: step as Progress['step'], done, total }
}
