import {
  type EdgeJob,
  type EdgeJobChoices,
  type EdgeJobCommand,
  type EdgeJobLine,
  type EdgeJobPreview,
  type EdgeJobState,
  edgeDeclaration,
  limits,
} from '@pult/contract'
import { type RawBuilder, sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import type { Db } from '#platform/database/database.ts'
import { orderOf } from '#platform/database/name-order.ts'
import {
  idAfter,
  type Page,
  type PageQuery,
  pageOf,
  pageSizeOf,
  searchCondition,
} from '#platform/database/page.ts'
import { keyOfSorted, sortedPage, withSortText } from '#platform/database/sorted-page.ts'
import { reportedItems } from '../fleet.ts'
import { judge, type Reach, type Target } from './targets.ts'

/** Number of labels of each kind in a preview. */
const shownMost = 20

/** Maximum number of variants of one declared command among which the most used one that fits is shown. */
const variantsTried = 20

export interface NewJob {
  projectId: string
  personId: string
  command: EdgeJobCommand
  target: Target
  label: string | null
  groupLabel: string | null
  seconds: number
  atOnce: number
  stopAfter: { failures: number } | { percent: number } | null
}

const lineOrder = orderOf(sql`l.label`)

const searchable = {
  text: [sql<string>`l.label`],
  keys: { label: { text: sql<string>`l.label` }, state: { text: sql<string>`l.state` } },
}

export function createJobRepository(db: Db) {
  const select = (found: RawBuilder<unknown>, rest: RawBuilder<unknown> = sql``) => sql<JobRow>`
    select j.*, creator.firstname, creator.lastname, coalesce(j.counts, (
      select jsonb_object_agg(state, number) from (
        select l.state, count(*) as number from edge_job_line l where l.job_id = j.id group by l.state
      ) counted)) as "shownCounts"
    from edge_job j left join person creator on creator.id = j.created_by where ${found} ${rest}`

  return {
    /** Returns commands and programs with the number of edges that have them, most edges first, then by name. */
    async choices(projectId: string): Promise<EdgeJobChoices> {
      const own = sql`from edge e join edge_presence p on p.edge_id = e.id`
      const [declared, programs] = await Promise.all([
        sql<{ declaration: unknown; edges: number }>`
          select declaration, edges from (
            select declaration, sum(edges) over of_key::int as edges,
              row_number() over by_use as place,
              first_value(declaration ->> 'label') over by_use as label
            from (
              select declaration, count(*) as edges
              ${own} cross join lateral ${reportedItems('commands')} declaration
              where e.project_id = ${projectId} and e.token_hash is not null group by declaration
            ) counted window of_key as (partition by declaration ->> 'key'),
              by_use as (of_key order by counted.edges desc, declaration::text collate "C")
          ) placed where place <= ${variantsTried}::int
          order by edges desc, ${orderOf(sql`label`)}, (declaration ->> 'key') collate "C", place`.execute(
          db,
        ),
        sql<{ key: string; label: string; edges: number }>`
          select * from (
            select program ->> 'key' as key, mode() within group (order by (program ->> 'label') collate "C") as label, count(*)::int as edges
            ${own} cross join lateral ${reportedItems('instances')} program
            where e.project_id = ${projectId} and e.token_hash is not null and program -> 'canRestart' = 'true'
            group by 1
          ) counted order by edges desc, ${orderOf(sql`label`)}, key collate "C" limit 200`.execute(db),
      ])
      const commands: EdgeJobChoices['commands'] = []
      for (const { declaration, edges } of declared.rows) {
        const { data } = edgeDeclaration.safeParse(declaration)
        // The most used variant that fits. Another release may have stored one that does not.
        if (data !== undefined && commands.at(-1)?.key !== data.key) commands.push({ ...data, edges })
      }
      return { commands, programs: programs.rows }
    },

    async groupLabel(projectId: string, groupId: string): Promise<string | undefined> {
      const row = await db
        .selectFrom('edge_group')
        .select('label')
        .where('id', '=', groupId)
        .where('project_id', '=', projectId)
        .executeTakeFirst()
      return row?.label
    },

    async preview(projectId: string, command: EdgeJobCommand, target: Target): Promise<EdgeJobPreview> {
      const { judged } = await judge(db, projectId, command, target)
      const { rows } = await sql<{ reach: Reach; count: number; edges: { _id: string; label: string }[] }>`
        select reach, max(count) as count, json_agg(json_build_object('_id', id, 'label', label) order by place) as edges from (
          select *, row_number() over (partition by reach order by ${orderOf(sql`label`)}, id) as place, count(*) over (partition by reach) as count
          from (${judged}) judged
        ) ranked where place <= ${shownMost} group by reach order by max(count) desc, reach`.execute(db)
      const of = (searched: Reach) => {
        const row = rows.find(({ reach }) => reach === searched)
        return { count: row?.count ?? 0, edges: row?.edges ?? [] }
      }
      const found = rows.reduce((sum, { count }) => sum + count, 0)
      const unknown = 'edges' in target ? new Set(target.edges).size - found : 0
      return {
        now: of('now'),
        away: of('away'),
        offLimits: [
          ...rows.flatMap(({ reach, count, edges }) =>
            reach === 'now' || reach === 'away' ? [] : [{ obstacle: reach, count, edges }],
          ),
          ...(unknown > 0 ? [{ obstacle: 'unknown' as const, count: unknown, edges: [] }] : []),
        ],
      }
    },

    async list(projectId: string, query: PageQuery & { state?: 'open' | undefined }): Promise<Page<EdgeJob>> {
      const size = pageSizeOf(query)
      const after = idAfter(query)
      const isWanted = query.state === 'open' ? sql`j.ended_at is null` : sql`true`
      const found = sql`j.project_id = ${projectId} and ${isWanted} and ${searchCondition(query.search, {
        text: [
          sql<string>`coalesce(j.label, '')`,
          sql<string>`coalesce(j.command_label, '')`,
          sql<string>`coalesce(j.group_label, '')`,
        ],
        keys: {},
      })}`
      const isAfter = after === undefined ? sql`true` : sql`j.id < ${after}::uuid`
      const [{ rows }, counted] = await Promise.all([
        select(sql`${found} and ${isAfter}`, sql`order by j.id desc limit ${size + 1}::int`).execute(db),
        sql<{ count: number }>`select count(*) from edge_job j where ${found}`.execute(db),
      ])
      return pageOf(rows, { size, count: counted.rows[0]?.count ?? 0, keyOf: ({ id }) => id, itemOf: jobOf })
    },

    async find(projectId: string, jobId: string): Promise<EdgeJob | undefined> {
      const { rows } = await select(sql`j.id = ${jobId}::uuid and j.project_id = ${projectId}`).execute(db)
      return rows[0] && jobOf(rows[0])
    },

    async lines(
      jobId: string,
      query: PageQuery & { state?: EdgeJobState | undefined },
    ): Promise<Page<EdgeJobLine>> {
      const size = pageSizeOf(query)
      const from = await withSortText(
        db,
        query,
        (id) =>
          sql`select ${lineOrder} as text from edge_job_line l where l.job_id = ${jobId} and l.id = ${id}::uuid`,
      )
      const order = sortedPage(from, { id: sql`l.id`, text: lineOrder, isReverse: false })
      const state = query.state === undefined ? sql`true` : sql`l.state = ${query.state}`
      const found = sql`l.job_id = ${jobId} and ${state} and ${searchCondition(query.search, searchable)}`
      const [{ rows }, counted] = await Promise.all([
        sql<LineRow & { sortText: string }>`
          select l.id, l.edge_id, l.label, l.state, l.info, cardinality(l.log) as lines, l.sent_at, l.ended_at,
            ${order.text} as "sortText"
          from edge_job_line l where ${found} and ${order.isAfter}
          order by ${order.orderBy} limit ${size + 1}::int`.execute(db),
        sql<{ count: number }>`select count(*) from edge_job_line l where ${found}`.execute(db),
      ])
      return pageOf(rows, { size, count: counted.rows[0]?.count ?? 0, keyOf: keyOfSorted, itemOf: lineOf })
    },

    async log(projectId: string, jobId: string, lineId: string): Promise<string[] | undefined> {
      const { rows } = await sql<{ log: string[] }>`
        select l.log from edge_job_line l join edge_job j on j.id = l.job_id
        where l.id = ${lineId} and j.id = ${jobId} and j.project_id = ${projectId}`.execute(db)
      return rows[0]?.log
    },

    /** Counts the unfinished jobs of a locked project. */
    async countOpen(projectId: string): Promise<number> {
      const { rows } = await sql<{ count: number }>`
        select count(*) from edge_job where project_id = ${projectId} and ended_at is null`.execute(db)
      return rows[0]?.count ?? 0
    },

    /** Adds a job with a line for each edge that it can reach, in one statement. Returns its id and number of edges. */
    async add({
      projectId,
      personId,
      command,
      target,
      ...job
    }: NewJob): Promise<{ id: string; total: number }> {
      const id = uuidv7()
      const { judged, commandLabel } = await judge(db, projectId, command, target)
      const { stopAfter } = job
      const failures =
        stopAfter === null
          ? sql`null::int`
          : 'failures' in stopAfter
            ? sql`${stopAfter.failures}::int`
            : sql`greatest(1, ceil(count(*) * ${stopAfter.percent}::int / 100.0))::int`
      const { rows } = await sql<{ total: number }>`
        with reached as (
          select id, label from (${judged}) judged where reach in ('now', 'away')
        ), job as (
          insert into edge_job (id, project_id, label, command, command_label, group_label, at_once, stop_after, total,
            created_by, expires_at)
          select ${id}::uuid, ${projectId}::uuid, ${job.label}, ${JSON.stringify(command)}::jsonb, ${commandLabel},
            ${job.groupLabel}, ${job.atOnce}::int, ${failures}, count(*), ${personId}::uuid,
            now() + make_interval(secs => ${job.seconds}::float8)
          from reached returning id, total
        ), lines as (
          insert into edge_job_line (id, job_id, edge_id, label)
          select gen_random_uuid(), job.id, reached.id, reached.label from reached, job
        )
        select total from job`.execute(db)
      return { id, total: rows[0]?.total ?? 0 }
    },

    /** Returns the settings that a repeat of a job needs. */
    async repeatable(projectId: string, jobId: string) {
      const { rows } = await sql<{
        command: EdgeJobCommand
        label: string | null
        groupLabel: string | null
        atOnce: number
        stopAfter: number | null
        seconds: number
        isEnded: boolean
      }>`
        select command, label, group_label as "groupLabel", at_once as "atOnce", stop_after as "stopAfter",
          extract(epoch from expires_at - created_at)::float8 as seconds, ended_at is not null as "isEnded"
        from edge_job where id = ${jobId} and project_id = ${projectId}`.execute(db)
      return rows[0]
    },

    /** Deletes the oldest ended jobs above the limit of the project. */
    async deleteOldest(projectId: string): Promise<void> {
      await sql`
        delete from edge_job where id in (
          select id from edge_job where project_id = ${projectId} and ended_at is not null
          order by id desc offset ${limits.edgeJobsKept}::int
        )`.execute(db)
    },
  }
}

interface JobRow {
  id: string
  label: string | null
  command: EdgeJobCommand
  command_label: string | null
  group_label: string | null
  at_once: number
  stop_after: number | null
  stopped: EdgeJob['stopped']
  total: number
  shownCounts: Partial<EdgeJob['counts']> | null
  created_at: Date
  created_by: string | null
  firstname: string | null
  lastname: string | null
  expires_at: Date
  ended_at: Date | null
}

interface LineRow {
  id: string
  edge_id: string | null
  label: string
  state: EdgeJobState
  info: string | null
  lines: number
  sent_at: Date | null
  ended_at: Date | null
}

const noCounts: EdgeJob['counts'] = { waiting: 0, running: 0, done: 0, failed: 0, expired: 0, cancelled: 0 }

const jobOf = (row: JobRow): EdgeJob => ({
  _id: row.id,
  label: row.label,
  command: row.command,
  commandLabel: row.command_label,
  group: row.group_label,
  atOnce: row.at_once,
  stopAfter: row.stop_after,
  stopped: row.stopped,
  total: row.total,
  counts: { ...noCounts, ...row.shownCounts },
  createdAt: row.created_at.toISOString(),
  createdBy:
    row.created_by === null
      ? null
      : { _id: row.created_by, firstname: row.firstname ?? '', lastname: row.lastname ?? '' },
  expiresAt: row.expires_at.toISOString(),
  endedAt: row.ended_at?.toISOString() ?? null,
})

const lineOf = (row: LineRow): EdgeJobLine => ({
  _id: row.id,
  edge: row.edge_id,
  label: row.label,
  state: row.state,
  info: row.info,
  lines: row.lines,
  sentAt: row.sent_at?.toISOString() ?? null,
  endedAt: row.ended_at?.toISOString() ?? null,
})
