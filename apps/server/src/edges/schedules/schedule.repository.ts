import {
  type BodyOf,
  type EdgeJobCommand,
  type EdgeSchedule,
  type EdgeScheduleMiss,
  type EdgeScheduleRun,
  type edgeScheduleEndpoints,
  limits,
} from '@pult/contract'
import { type RawBuilder, sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { AppError } from '#platform/app-error.ts'
import { isPast } from '#platform/database/clock.ts'
import type { Db } from '#platform/database/database.ts'
import { isInService } from '#platform/database/in-service.ts'
import { orderOf } from '#platform/database/name-order.ts'
import { pageOf, pageSizeOf, searchCondition } from '#platform/database/page.ts'
import { keyOfSorted, sortedPage, withSortText } from '#platform/database/sorted-page.ts'
import type { ResourceStore } from '#platform/resource/resource.ts'
import { lockProject } from '../lock-project.ts'
import { checkRhythm, timesAfter } from './times.ts'

const labelOrder = orderOf(sql`s.label`)

const searchable = {
  text: [sql<string>`s.label`],
  keys: { label: { text: sql<string>`s.label` } },
}

const usuallyAtOnce = 20

/** A run of the future was recorded when the clock was wrong. */
const newestRun = sql`select due_at, job_id, missed, count from edge_schedule_run
  where schedule_id = s.id and ${isPast(sql`due_at`)} order by due_at desc limit 1`

/** The schedules of a project; `personId` is the user who changes them. */
export function createScheduleRepository(
  db: Db,
  { projectId, personId }: { projectId: string; personId: string },
): ResourceStore<EdgeSchedule, BodyOf<typeof edgeScheduleEndpoints.create>> {
  const own = sql`s.project_id = ${projectId}`

  const select = (found: RawBuilder<unknown>, rest: RawBuilder<unknown> = sql``) => sql<ScheduleRow>`
    select s.*, ${labelOrder} as "sortText", g.label as group_label, changer.firstname, changer.lastname, r.due_at, r.job_id, r.missed, r.count
    from edge_schedule s left join edge_group g on g.id = s.group_id left join person changer on changer.id = s.updated_by
      left join lateral (${newestRun}) r on true where ${found} ${rest}`

  async function checkGroup(groupId: string): Promise<void> {
    const { rows } =
      await sql`select from edge_group where id = ${groupId}::uuid and project_id = ${projectId} for key share`.execute(
        db,
      )
    if (rows.length === 0) throw new AppError('NOT_FOUND')
  }

  /** Returns the first time of a rhythm after now. The worker compares it with the database's clock. */
  async function nextOf(rhythm: { cron: string; timeZone: string }): Promise<Date | null> {
    const { rows } = await sql<{ now: Date }>`select now() as now`.execute(db)
    const { now } = rows[0] as { now: Date }
    checkRhythm(rhythm, now)
    return timesAfter(rhythm, now, 1)[0] ?? null
  }

  async function find(scheduleId: string): Promise<EdgeSchedule | undefined> {
    const { rows } = await select(sql`${own} and s.id = ${scheduleId}::uuid`).execute(db)
    return rows[0] && scheduleOf(rows[0])
  }

  return {
    find,

    async list(query) {
      const size = pageSizeOf(query)
      const from = await withSortText(
        db,
        query,
        (id) => sql`select ${labelOrder} as text from edge_schedule s where ${own} and s.id = ${id}::uuid`,
      )
      const order = sortedPage(from, { id: sql`s.id`, text: labelOrder, isReverse: false })
      const found = sql`${own} and ${searchCondition(query.search, searchable)}`
      const [{ rows }, counted] = await Promise.all([
        select(
          sql`${found} and ${order.isAfter}`,
          sql`order by ${order.orderBy} limit ${size + 1}::int`,
        ).execute(db),
        sql<{ count: number }>`select count(*) from edge_schedule s where ${found}`.execute(db),
      ])
      return pageOf(rows, {
        size,
        count: counted.rows[0]?.count ?? 0,
        keyOf: keyOfSorted,
        itemOf: scheduleOf,
      })
    },

    async lock(scheduleId) {
      await sql`select from edge_schedule s where ${own} and s.id = ${scheduleId}::uuid for update`.execute(
        db,
      )
    },

    /** Adds a schedule. Locks the project row, so that the count remains valid. */
    async add({ label, command, group, cron, timeZone, atOnce = usuallyAtOnce, stopPercent = null }) {
      const next = await nextOf({ cron, timeZone })
      if (!(await lockProject(db, projectId))) return undefined
      const { rows } = await sql<{ count: number }>`
        select count(*) from edge_schedule s where ${own}`.execute(db)
      if ((rows[0]?.count ?? 0) >= limits.edgeSchedulesMax) throw new AppError('TOO_MANY_EDGE_SCHEDULES')
      await checkGroup(group)
      const { id } = await db
        .insertInto('edge_schedule')
        .values({
          id: uuidv7(),
          project_id: projectId,
          label,
          command: JSON.stringify(command),
          group_id: group,
          cron,
          time_zone: timeZone,
          at_once: atOnce,
          stop_percent: stopPercent,
          next_at: next,
          updated_by: personId,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      return id
    },

    async update(scheduleId, changes) {
      const { label, command, group, cron, timeZone, atOnce, stopPercent, isPaused } = changes
      if (typeof group === 'string') await checkGroup(group)
      const before = await find(scheduleId)
      if (before === undefined) throw new AppError('NOT_FOUND')
      const isMoved = cron !== undefined || timeZone !== undefined || isPaused !== undefined
      const next = isMoved
        ? await nextOf({ cron: cron ?? before.cron, timeZone: timeZone ?? before.timeZone })
        : undefined
      await db
        .updateTable('edge_schedule')
        .set((eb) => ({
          ...(label !== undefined && { label }),
          ...(command !== undefined && { command: JSON.stringify(command) }),
          ...(group !== undefined && { group_id: group }),
          ...(cron !== undefined && { cron }),
          ...(timeZone !== undefined && { time_zone: timeZone }),
          ...(atOnce !== undefined && { at_once: atOnce }),
          ...(stopPercent !== undefined && { stop_percent: stopPercent }),
          ...(isPaused !== undefined && { is_paused: isPaused }),
          ...(next !== undefined && { next_at: (isPaused ?? before.isPaused) ? null : next }),
          revision: eb('revision', '+', 1),
          updated_at: sql<Date>`clock_timestamp()`,
          updated_by: personId,
        }))
        .where('id', '=', scheduleId)
        .where('project_id', '=', projectId)
        .execute()
    },

    async remove(scheduleId) {
      await db
        .deleteFrom('edge_schedule')
        .where('id', '=', scheduleId)
        .where('project_id', '=', projectId)
        .execute()
    },

    async removeAll() {
      const { numDeletedRows } = await db
        .deleteFrom('edge_schedule')
        .where('project_id', '=', projectId)
        .executeTakeFirstOrThrow()
      return Number(numDeletedRows)
    },
  }
}

/** Returns the runs of a schedule, newest first. Undefined if the project does not have the schedule. */
export async function runsOf(
  db: Db,
  { projectId, itemId }: { projectId: string; itemId: string },
): Promise<EdgeScheduleRun[] | undefined> {
  const { rows } = await sql<RunRow & { due_at: Date | null }>`
    select r.due_at, r.job_id, r.missed, r.count
    from edge_schedule s left join edge_schedule_run r on r.schedule_id = s.id
    where s.id = ${itemId}::uuid and s.project_id = ${projectId} order by r.due_at desc`.execute(db)
  if (rows.length === 0) return undefined
  return rows.flatMap(({ due_at, ...row }) => (due_at === null ? [] : [runOf({ due_at, ...row })]))
}

export interface DueSchedule {
  id: string
  projectId: string
  label: string
  command: EdgeJobCommand
  groupId: string | null
  groupLabel: string | null
  cron: string
  timeZone: string
  atOnce: number
  stopPercent: number | null
  nextAt: Date
  now: Date
  /** Null for a deleted account. */
  personId: string | null
}

export function createDueRepository(db: Db) {
  const due = (rest: RawBuilder<unknown>) => sql<DueSchedule>`
    select s.id, s.project_id as "projectId", s.label, s.command, s.group_id as "groupId",
      (select label from edge_group where id = s.group_id) as "groupLabel", s.cron, s.time_zone as "timeZone",
      s.at_once as "atOnce", s.stop_percent as "stopPercent", s.next_at as "nextAt", now() as now,
      s.updated_by as "personId"
    from edge_schedule s where s.next_at <= now() and ${isInService} ${rest}`

  return {
    async list(): Promise<DueSchedule[]> {
      return (await due(sql`order by s.next_at limit 100`).execute(db)).rows
    },

    /** Locks a due schedule. Undefined if another node is running it or has run it. */
    async lock(scheduleId: string): Promise<DueSchedule | undefined> {
      const { rows } = await due(
        sql`and s.id = ${scheduleId}::uuid for no key update of s skip locked`,
      ).execute(db)
      return rows[0]
    },

    /** Returns whether a job was started for a due time, perhaps when the clock was ahead. */
    async hasBegun(scheduleId: string, dueAt: Date): Promise<boolean> {
      const { rows } = await sql`
        select from edge_schedule_run
        where schedule_id = ${scheduleId}::uuid and due_at = ${dueAt} and missed is null`.execute(db)
      return rows.length > 0
    },

    /**
     * Adds a run and deletes the oldest ones. The table's key allows one run for each due time. A run replaces a missed
     * one, which a clock that was ahead may have recorded.
     */
    async addRun(
      scheduleId: string,
      { dueAt, ...run }: { dueAt: Date; job?: string; missed?: EdgeScheduleMiss; count?: number },
    ): Promise<void> {
      const { job = null, missed = null, count = 1 } = run
      await sql`
        insert into edge_schedule_run as r (schedule_id, due_at, job_id, missed, count)
        values (${scheduleId}::uuid, ${dueAt}, ${job}, ${missed}, ${count}::int)
        on conflict (schedule_id, due_at) do update
          set job_id = excluded.job_id, missed = excluded.missed, count = excluded.count
        where r.missed is not null`.execute(db)
      await sql`
        delete from edge_schedule_run where schedule_id = ${scheduleId}::uuid and due_at in (
          select due_at from edge_schedule_run where schedule_id = ${scheduleId}::uuid
          order by due_at desc offset ${limits.edgeRunsKept}::int)`.execute(db)
    },

    async setNext(scheduleId: string, next: Date | null): Promise<void> {
      await db.updateTable('edge_schedule').set({ next_at: next }).where('id', '=', scheduleId).execute()
    },

    /**
     * Corrects the next time of each schedule for which `next` returns an earlier one: it was computed when the clock
     * was ahead. Skips schedules that run or are saved meanwhile. Returns the corrected ones.
     */
    async bringForward(
      next: (schedule: { cron: string; timeZone: string; now: Date }) => Date | null,
    ): Promise<{ id: string; projectId: string }[]> {
      const { rows } = await sql<{ id: string; cron: string; timeZone: string; nextAt: Date; now: Date }>`
        select id, cron, time_zone as "timeZone", next_at as "nextAt", now() as now
        from edge_schedule where next_at > now()
          -- A machine without a battery starts in 1970: its clock corrects nothing.
          and now() > '2026-01-01'`.execute(db)
      const late = rows.flatMap(({ id, nextAt, ...rhythm }) => {
        const right = next(rhythm)
        return right !== null && right < nextAt ? [{ id, nextAt, right }] : []
      })
      const { rows: corrected } = await sql<{ id: string; projectId: string }>`
        update edge_schedule s set next_at = g.right_at
        from unnest(${late.map(({ id }) => id)}::uuid[], ${late.map(({ nextAt }) => nextAt)}::timestamptz[],
          ${late.map(({ right }) => right)}::timestamptz[]) as g (id, next_at, right_at)
        where s.id = g.id and s.next_at = g.next_at
        returning s.id, s.project_id as "projectId"`.execute(db)
      return corrected
    },
  }
}

interface RunRow {
  due_at: Date
  job_id: string | null
  missed: EdgeScheduleMiss | null
  count: number
}

type ScheduleRow = (RunRow | { [Column in keyof RunRow]: null }) & {
  sortText: string
  id: string
  label: string
  command: EdgeJobCommand
  group_id: string | null
  group_label: string | null
  cron: string
  time_zone: string
  at_once: number
  stop_percent: number | null
  is_paused: boolean
  next_at: Date | null
  created_at: Date
  revision: number
  updated_at: Date
  updated_by: string | null
  firstname: string | null
  lastname: string | null
}

const runOf = ({ due_at, job_id, missed, count }: RunRow): EdgeScheduleRun => ({
  dueAt: due_at.toISOString(),
  job: job_id,
  missed,
  count,
})

const scheduleOf = (row: ScheduleRow): EdgeSchedule => ({
  _id: row.id,
  label: row.label,
  command: row.command,
  group: row.group_id,
  groupLabel: row.group_label,
  cron: row.cron,
  timeZone: row.time_zone,
  atOnce: row.at_once,
  stopPercent: row.stop_percent,
  isPaused: row.is_paused,
  nextAt: row.next_at?.toISOString() ?? null,
  lastRun: row.due_at === null ? null : runOf(row),
  createdAt: row.created_at.toISOString(),
  revision: row.revision,
  updatedAt: row.updated_at.toISOString(),
  updatedBy:
    row.updated_by === null
      ? null
      : { _id: row.updated_by, firstname: row.firstname ?? '', lastname: row.lastname ?? '' },
})
