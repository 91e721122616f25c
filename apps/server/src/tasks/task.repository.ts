import type { TaskCounts, TaskMessage, TaskSort } from '@pult/contract'
import { type RawBuilder, sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { hasCome } from '#platform/database/clock.ts'
import type { Db } from '#platform/database/database.ts'
import {
  countedAtMost,
  idAfter,
  lastScanned,
  type Page,
  type PageQuery,
  pageOf,
  pageSizeOf,
  runSearch,
  scannedMost,
} from '#platform/database/page.ts'
import {
  canRetry,
  projectColumns,
  storedOf,
  type TaskOfProjectRow,
  type TaskRow,
  type TaskText,
  taskColumns,
  type UpdateRow,
  updateColumns,
} from './task.ts'
import { keyOfTask, taskOrder } from './task-order.ts'
import { taskSearch } from './task-search.ts'

/** A task of a project. */
export interface TaskPlace {
  projectId: string
  taskId: string
}

/** A task with the fence of its driver. */
export interface Drive {
  taskId: string
  fence: number
}

export type TaskEnd = 'finished' | 'rejected' | 'timed-out' | 'aborted'

export interface Outcome {
  state: TaskEnd
  progress?: readonly [number, number] | undefined
  info?: TaskText | undefined
  error?: TaskText | null
  file?: { id: string; name: string } | undefined
}

export interface NewTask {
  projectId: string
  type: string
  kind: 'info' | 'download-generation'
  title: string
  payload?: unknown
  createdBy: string | null
  /** Milliseconds until the deadline, and until the lease of a silent driver expires. */
  deadline: number
  leaseFor: number
  canRestart: boolean
  /** Milliseconds in which the task can be retried after it failed. */
  retryFor?: number | undefined
  /** The token of the service that drives it. */
  tokenId?: string
  repeatKey?: string | undefined
  /** The hash of the request with this idempotency key. */
  repeatHash?: Buffer | undefined
}

/** A task that this node has claimed. */
export interface ClaimedTask extends UpdateRow {
  fence: number
  payload: unknown
  created_by: string | null
}

export interface TaskListQuery extends PageQuery {
  state?: 'open' | 'ended' | 'finished' | 'failed' | 'aborted' | undefined
  sort?: TaskSort | undefined
}

/** Tasks of these projects, or of all. */
export interface TasksOf {
  projectIds: readonly string[] | 'all'
  createdBy?: string | undefined
}

/** The conditions on a task `t` and a limit. */
interface Listing {
  matches: RawBuilder<unknown>
  isAfter: RawBuilder<unknown>
  most: RawBuilder<unknown>
}

/** What a retry needs of a failed task. */
interface FailedTask {
  payload: unknown
  /** The task that already repeats it. */
  retryId: string | null
  canRetry: boolean
}

/** A task that lost its driver this often probably crashes its node. It is not restarted. */
const lossesMost = 3

/** Tasks that one check ends in one transaction. */
const batch = 200

const stateConditions: Record<NonNullable<TaskListQuery['state']>, RawBuilder<boolean>> = {
  open: sql`t.fulfilled_at is null`,
  ended: sql`t.fulfilled_at is not null`,
  finished: sql`t.state = 'finished'`,
  failed: sql`t.state in ('rejected', 'timed-out')`,
  aborted: sql`t.state = 'aborted'`,
}

/** No index finds few failed tasks among a million ended ones, so such a list reads only the newest ones. */
const isScanned = ({ state }: TaskListQuery) => state !== undefined && state !== 'open' && state !== 'ended'

/** An archived task no longer shows its creator. */
const itsCreator = sql`left join person creator on creator.id = t.created_by and t.archived_at is null`
const itsProject = sql`left join project on project.id = t.project_id`

const fromTasks = sql`from task t`
const fromTasksAndCreators = sql`${fromTasks} ${itsCreator}`

const countedMost = sql`limit ${countedAtMost}::int`

/** No index supports other orders than time, so such a list sorts only the newest tasks. */
const newestMost = sql`limit ${scannedMost}::int`

/**
 * Tests equality in a form that PostgreSQL cannot use as an index prefix, so that it reads the rows in order of an
 * index. PostgreSQL does not know how many tasks of a project are archived and would scan a million of them for a
 * short list.
 */
export const isExactly = (column: RawBuilder<unknown>, value: RawBuilder<unknown>) =>
  sql`${column} >= ${value} and ${column} <= ${value}`

/** Selects `what` of matching tasks, newest first. Each variant has an index in this order. */
function listed(
  what: RawBuilder<unknown>,
  { projectIds, createdBy }: TasksOf,
  { matches, isAfter, most }: Listing,
): RawBuilder<unknown> {
  // One user starts far fewer tasks than a project contains.
  if (createdBy !== undefined) {
    return sql`
      select ${what} ${fromTasks} where ${isExactly(sql`t.created_by`, sql`${createdBy}::uuid`)} and ${matches} and ${isAfter}
        and ${projectIds === 'all' ? isOfProject : sql`t.project_id = any(${projectIds}::uuid[])`}
      order by t.created_by desc, t.id desc ${most}`
  }
  if (projectIds === 'all') {
    return sql`
      select ${what} ${fromTasks} where ${isOfProject} and ${matches} and ${isAfter}
      order by t.archived_at desc, t.id desc ${most}`
  }
  const ofProject = (id: RawBuilder<unknown>) => sql`
    select ${what} ${fromTasks} where ${isExactly(sql`t.project_id`, id)} and ${matches} and ${isAfter}
    order by t.project_id desc, t.id desc ${most}`
  const [first, ...others] = projectIds
  if (first !== undefined && others.length === 0) return ofProject(sql`${first}::uuid`)
  // Reads at most one page from each project.
  return sql`
    select each.* from unnest(${projectIds}::uuid[]) seen (id) cross join lateral (${ofProject(sql`seen.id`)}) each
    order by each.id desc ${most}`
}

/** Tasks of a deleted project exist until the clean-up job deletes them. */
const isOfProject = sql`exists (select from project present where present.id = t.project_id)`

/** Locks the given tasks that still have this driver, in one order, so that concurrent batch writes cannot deadlock. */
const held = (given: RawBuilder<unknown>) => sql`
  held as materialized (
    select given.* from task join ${given} on given.id = task.id and given.fence = task.fence
    where task.state = 'running' order by task.id for no key update of task
  )`

/** Checked again at the write, which sees the newest version of a row after waiting for its lock. */
const isStillHeld = sql`task.id = held.id and task.state = 'running' and task.fence = held.fence`

/** Condition on open tasks. */
const isOverdue = sql`deadline_at <= now()`
const isUndriven = sql`(state = 'running' and ${hasCome(sql`lease_until`, sql`lease_for`)})`

/** Condition on queued tasks: a postponed task waits for its back-off. */
const longestPause = sql`interval '5 minutes'`
const isDue = sql`(retry_at is null or ${hasCome(sql`retry_at`, longestPause)})`

export function createTaskRepository(db: Db) {
  /** Reads the `columns` of one page of tasks and the rows joined `beside` each; nothing unless `isSeen`. */
  async function page<Row extends TaskRow, Item>(
    of: TasksOf,
    query: TaskListQuery,
    {
      columns,
      beside,
      isSeen,
    }: { columns: RawBuilder<Row>; beside: RawBuilder<unknown>; isSeen: RawBuilder<unknown> },
    itemOf: (row: Row) => Item,
  ): Promise<Page<Item> | undefined> {
    const size = pageSizeOf(query)
    const order = taskOrder(query)
    const after = order === undefined ? idAfter(query) : undefined
    const search = query.search === undefined ? undefined : await taskSearch(db, query.search)
    const isListed = sql`t.archived_at is null and ${query.state === undefined ? sql`true` : stateConditions[query.state]}`
    const most = sql`limit ${size + 1}::int`
    // The first page of a search and its count share one scan.
    const isOnce = query.after === undefined && search !== undefined && order === undefined
    const inOrder = sql<{ id: string }>`
      select id from (${listed(sql`t.id`, of, {
        matches: isScanned(query) ? sql`t.archived_at is null` : isListed,
        isAfter: sql`true`,
        most: newestMost,
      })}) newest order by id desc`

    async function read(from: Db, isOfNewest: boolean): Promise<Page<Item> | undefined> {
      const end = isOfNewest ? await lastScanned(from, inOrder) : undefined
      const matches = sql`
        ${isListed} and ${search?.condition ?? sql`true`}
        and ${end === undefined ? sql`true` : sql`t.id >= ${end.id}::uuid`}`
      const counted = listed(sql`t.id`, of, { matches, isAfter: sql`true`, most: countedMost })
      const { rows } = await sql<(Row | { id: null }) & { count: number; sortValue: string }>`
        ${isOnce ? sql`with counted as materialized (${counted})` : sql``}
        select ${columns}, number.count, ${order?.value ?? sql`''`}::text as "sortValue"
        from (select count(*) from ${isOnce ? sql`counted` : sql`(${counted}) counted`}) number
        left join (${
          isOnce
            ? sql`select t.* from (select id from counted order by id desc ${most}) newest join task t on t.id = newest.id`
            : order === undefined
              ? listed(sql`t.*`, of, {
                  matches,
                  isAfter: after === undefined ? sql`true` : sql`t.id < ${after}::uuid`,
                  most,
                })
              : sql`
                  select * from (${listed(sql`t.*`, of, { matches, isAfter: sql`true`, most: newestMost })}) t
                  where ${order.isAfter} order by ${order.orderBy} ${most}`
        }) t on true ${beside}
        where ${isSeen}
        order by ${order?.orderBy ?? sql`t.id desc`}`.execute(from)
      if (rows[0] === undefined) return undefined
      return pageOf(
        rows.filter((row): row is Row & { count: number; sortValue: string } => row.id !== null),
        {
          size,
          count: rows[0].count,
          isPartial: end !== undefined,
          keyOf: order === undefined ? ({ id }) => id : keyOfTask,
          itemOf,
        },
      )
    }
    if (search === undefined && !isScanned(query)) return read(db, false)
    return runSearch(db, { isIndexed: search?.isIndexed === true && !isScanned(query) }, read)
  }

  /** Counts the newest 10,000 tasks that a search finds, by state. */
  async function counts(of: TasksOf, { search: text }: TaskListQuery): Promise<TaskCounts> {
    const search = text === undefined ? undefined : await taskSearch(db, text)
    const isFound = search?.condition ?? sql`true`
    async function count(from: Db, isOfNewest: boolean): Promise<TaskCounts> {
      const scanned = listed(sql`t.*`, of, {
        matches: isOfNewest ? sql`t.archived_at is null` : sql`t.archived_at is null and ${isFound}`,
        isAfter: sql`true`,
        most: isOfNewest ? newestMost : countedMost,
      })
      const { rows } = await sql<Omit<TaskCounts, 'isCapped'> & { total: number }>`
        select count(*) as total,
          ${sql.join(
            (['open', 'finished', 'failed', 'aborted'] as const).map(
              (state) => sql`count(*) filter (where ${stateConditions[state]}) as ${sql.ref(state)}`,
            ),
          )}
        from (select * from (${scanned}) t where ${isOfNewest ? isFound : sql`true`} ${countedMost}) t`.execute(
        from,
      )
      const [{ total, ...byState }] = rows as [(typeof rows)[number]]
      return { ...byState, isCapped: total === countedAtMost }
    }
    return search === undefined ? count(db, false) : runSearch(db, search, count)
  }

  async function one(condition: RawBuilder<unknown>): Promise<TaskRow | undefined> {
    const { rows } = await sql<TaskRow>`
      select ${taskColumns} ${fromTasksAndCreators} where ${condition} and t.archived_at is null`.execute(db)
    return rows[0]
  }

  return {
    /**
     * Lists the tasks of one project, newest first. Returns undefined unless the caller may see the project, which
     * the same query checks.
     */
    ofProject: <Item>(
      { projectId, isSeen }: { projectId: string; isSeen: RawBuilder<boolean> },
      query: TaskListQuery,
      itemOf: (row: TaskRow) => Item,
    ): Promise<Page<Item> | undefined> =>
      page({ projectIds: [projectId] }, query, { columns: taskColumns, beside: itsCreator, isSeen }, itemOf),

    /** Lists the tasks of several projects, newest first unless sorted otherwise. */
    async list<Item>(
      of: TasksOf,
      query: TaskListQuery,
      itemOf: (row: TaskOfProjectRow) => Item,
    ): Promise<Page<Item> & { counts: TaskCounts }> {
      const columns = sql<TaskOfProjectRow>`${taskColumns}, ${projectColumns}`
      const beside = sql`${itsProject} ${itsCreator}`
      const [found = { items: [], total: 0 }, counted] = await Promise.all([
        page(of, query, { columns, beside, isSeen: sql`true` }, itemOf),
        counts(of, query),
      ])
      return { ...found, counts: counted }
    },

    find: ({ projectId, taskId }: TaskPlace) =>
      one(sql`t.id = ${taskId}::uuid and t.project_id = ${projectId}::uuid`),

    findAll: async (ids: readonly string[]): Promise<TaskRow[]> =>
      (
        await sql<TaskRow>`
          select ${taskColumns} ${fromTasksAndCreators} where t.id = any(${ids}::uuid[]) order by t.id`.execute(
          db,
        )
      ).rows,

    /** Returns the state of these tasks of a project for their driver. */
    async standings(projectId: string, taskIds: readonly string[]) {
      const { rows } = await sql<{
        id: string
        type: string
        state: TaskRow['state']
        fence: number
      }>`
        select id, type, state, fence from task
        where project_id = ${projectId}::uuid and id = any(${taskIds}::uuid[]) and archived_at is null`.execute(
        db,
      )
      return rows
    },

    /**
     * Locks the task list of a project until the transaction ends. Returns its products and the number of open tasks,
     * or undefined if the project was deleted.
     */
    async holdProject(projectId: string): Promise<{ products: string[]; open: number } | undefined> {
      await sql`select pg_advisory_xact_lock(hashtextextended(${`task ${projectId}`}, 0))`.execute(db)
      const { rows } = await sql<{ products: string[]; open: number }>`
        select products, (select count(*) from task where project_id = project.id and fulfilled_at is null) as open
        from project where id = ${projectId}::uuid for key share`.execute(db)
      return rows[0]
    },

    async findRepeated(
      tokenId: string,
      repeatKey: string,
    ): Promise<{ id: string; repeat_hash: Buffer | null } | undefined> {
      const { rows } = await sql<{ id: string; repeat_hash: Buffer | null }>`
        select id, repeat_hash from task where token_id = ${tokenId}::uuid and repeat_key = ${repeatKey}`.execute(
        db,
      )
      return rows[0]
    },

    async add(task: NewTask): Promise<string> {
      const id = uuidv7()
      const isDriven = task.tokenId !== undefined
      await sql`
        insert into task (id, project_id, type, kind, title, state, payload, created_by, token_id, repeat_key, repeat_hash, can_restart,
          fence, lease_for, lease_until, started_at, deadline_at, retry_until)
        values (${id}::uuid, ${task.projectId}::uuid, ${task.type}, ${task.kind}, ${task.title},
          ${isDriven ? 'running' : 'queued'}, ${task.payload === undefined ? null : JSON.stringify(task.payload)}::jsonb,
          ${task.createdBy}::uuid, ${task.tokenId ?? null}::uuid, ${task.repeatKey ?? null}, ${task.repeatHash ?? null}, ${task.canRestart},
          ${isDriven ? 1 : 0}, ${milliseconds(task.leaseFor)},
          case when ${isDriven}::boolean then now() + ${milliseconds(task.leaseFor)} end,
          case when ${isDriven}::boolean then now() end, now() + ${milliseconds(task.deadline)},
          now() + ${milliseconds(task.retryFor ?? null)})`.execute(db)
      return id
    },

    /** Returns those of the types that have due tasks. */
    async waiting(types: readonly string[]): Promise<string[]> {
      const { rows } = await sql<{ type: string }>`
        select type from unnest(${types}::text[]) type
        where exists (select from task where state = 'queued' and task.type = type.type and ${isDue})`.execute(
        db,
      )
      return rows.map(({ type }) => type)
    },

    /** Claims due tasks, the oldest first. */
    async claim(type: string, most: number): Promise<ClaimedTask[]> {
      const { rows } = await sql<ClaimedTask>`
        update task set state = 'running', fence = fence + 1, lease_until = now() + lease_for,
          started_at = coalesce(started_at, clock_timestamp()), progress_done = null, progress_total = null, info = null,
          info_message = null, revision = revision + 1
        where id = any(array(
          select id from task t where state = 'queued' and type = ${type} and ${isDue} and deadline_at > now() and ${isOfProject}
          order by id limit ${most}::int for update skip locked
        ))
        returning ${updateColumns}, task.fence, task.payload, task.created_by`.execute(db)
      return rows
    },

    /** Renews leases. Returns the tasks whose lease is still valid and whose project exists. */
    async beat(drives: readonly Drive[]): Promise<string[]> {
      const { rows } = await sql<{ id: string }>`
        with ${held(sql`${unnested(drives)} as given (id, fence)`)}
        update task t set lease_until = now() + lease_for from held
        where t.id = held.id and t.state = 'running' and t.fence = held.fence and ${isOfProject} returning t.id`.execute(
        db,
      )
      return rows.map(({ id }) => id)
    },

    /**
     * Writes reports of tasks that still have this driver; null leaves a field unchanged. A service renews its lease
     * with a report. Returns the changed tasks.
     */
    async report(
      reports: readonly (Drive & { progress: readonly [number, number] | null; info: TaskText | null })[],
    ): Promise<UpdateRow[]> {
      const infos = reports.map(({ info }) => storedOrNull(info))
      const given = sql`unnest(${reports.map(({ taskId }) => taskId)}::uuid[], ${reports.map(({ fence }) => fence)}::int[],
        ${reports.map(({ progress }) => progress?.[0] ?? null)}::float8[],
        ${reports.map(({ progress }) => progress?.[1] ?? null)}::float8[], ${infos.map(({ text }) => text)}::text[],
        ${infos.map(({ message }) => message)}::jsonb[]) as given (id, fence, done, total, info, message)`
      const { rows } = await sql<UpdateRow & { isChanged: boolean }>`
        with ${held(given)}
        update task set progress_done = coalesce(held.done, progress_done),
          progress_total = coalesce(held.total, progress_total), info = coalesce(held.info, task.info),
          info_message = case when held.info is null then task.info_message else held.message end,
          lease_until = case when token_id is null then lease_until else now() + lease_for end,
          revision = revision + case when held.done is null and held.info is null then 0 else 1 end
        from held where ${isStillHeld}
        returning ${updateColumns}, (held.done is not null or held.info is not null) as "isChanged"`.execute(
        db,
      )
      return rows.filter(({ isChanged }) => isChanged)
    },

    /** Appends lines to the logs of tasks that still have this driver, and deletes the oldest above `most`. */
    async log(lines: readonly (Drive & { line: TaskText })[], most: number): Promise<void> {
      const ids = lines.map(({ taskId }) => taskId)
      const stored = lines.map(({ line }) => storedOrNull(line))
      await sql`
        with given as (
          select * from unnest(${ids}::uuid[], ${lines.map(({ fence }) => fence)}::int[], ${stored.map(({ text }) => text)}::text[],
            ${stored.map(({ message }) => message)}::jsonb[]) with ordinality as each (id, fence, line, message, place)
        ), held as materialized (
          select id, fence from task where id = any(${ids}::uuid[]) and state = 'running' order by id for share
        )
        insert into task_log (task_id, at, line, message)
        select id, clock_timestamp(), line, message from given join held using (id, fence) order by place`.execute(
        db,
      )
      await sql`
        delete from task_log using (
          select id as task_id, (
            select id from task_log where task_id = each.id order by id desc offset ${most - 1}::int limit 1
          ) as oldest from unnest(${[...new Set(ids)]}::uuid[]) each (id)
        ) kept where task_log.task_id = kept.task_id and task_log.id < kept.oldest`.execute(db)
    },

    async logOf(taskId: string): Promise<{ at: Date; line: string; message: TaskMessage | null }[]> {
      const { rows } = await sql<{ at: Date; line: string; message: TaskMessage | null }>`
        select at, line, message from task_log where task_id = ${taskId}::uuid order by id`.execute(db)
      return rows
    },

    /**
     * Ends a task exactly once: later ends have no effect. With a fence, only the current driver can end it. Returns
     * whether this call ended it.
     */
    async end({ taskId, fence }: { taskId: string; fence?: number }, outcome: Outcome): Promise<boolean> {
      const { state, progress, file } = outcome
      const info = storedOrNull(outcome.info)
      const error = storedOrNull(outcome.error)
      const isDriver = fence === undefined ? sql`true` : sql`state = 'running' and fence = ${fence}::int`
      const { numAffectedRows } = await sql`
        update task set state = ${state}, fulfilled_at = clock_timestamp(), lease_until = null,
          progress_done = coalesce(${progress?.[0] ?? null}::float8, progress_done),
          progress_total = coalesce(${progress?.[1] ?? null}::float8, progress_total),
          info = coalesce(${info.text}::text, info),
          info_message = case when ${info.text}::text is null then info_message else ${info.message}::jsonb end,
          error = ${error.text}::text, error_message = ${error.message}::jsonb,
          file_id = ${file?.id ?? null}::uuid, file_name = ${file?.name ?? null}::text, revision = revision + 1
        where id = ${taskId}::uuid and fulfilled_at is null and ${isDriver}`.execute(db)
      return numAffectedRows === 1n
    },

    /** Locks a failed task, so that only one of several concurrent calls retries it. */
    async lockFailed({ projectId, taskId }: TaskPlace): Promise<FailedTask | undefined> {
      const { rows } = await sql<FailedTask>`
        select t.payload, t.retry_id as "retryId", ${canRetry} as "canRetry" ${fromTasks}
        where t.id = ${taskId}::uuid and t.project_id = ${projectId}::uuid and t.archived_at is null for update`.execute(
        db,
      )
      return rows[0]
    },

    async setRetry(taskId: string, retryId: string): Promise<void> {
      await sql`
        update task set retry_id = ${retryId}::uuid, revision = revision + 1 where id = ${taskId}::uuid`.execute(
        db,
      )
    },

    /** Returns restartable tasks of this node to the queue. Returns their number. */
    async requeue(drives: readonly Drive[]): Promise<number> {
      const { numAffectedRows = 0n } = await sql`
        update task set state = 'queued', lease_until = null
        from ${unnested(drives)} as given (id, fence)
        where task.id = given.id and task.fence = given.fence and task.state = 'running' and can_restart`.execute(
        db,
      )
      return Number(numAffectedRows)
    },

    /**
     * Returns tasks to the queue that a claim without an answer may have taken: no run has begun them. Locks the rows
     * first, because the claim may still be committing.
     */
    async unclaim(drives: readonly Drive[]): Promise<void> {
      await sql`
        with locked as materialized (
          select id, fence, state from task where id = any(${drives.map(({ taskId }) => taskId)}::uuid[])
          order by id for update
        )
        update task set state = 'queued', lease_until = null, revision = revision + 1
        from locked join ${unnested(drives)} as given (id, fence) on given.id = locked.id and given.fence = locked.fence
        where task.id = locked.id and locked.state = 'running'`.execute(db)
    },

    /** Renews the leases of all running tasks, or of those that services drive. */
    async renewLeases(whose: 'all' | 'services'): Promise<void> {
      await sql`
        update task set lease_until = now() + lease_for
        where state = 'running' and fulfilled_at is null and (${whose === 'all'}::boolean or token_id is not null)`.execute(
        db,
      )
    },

    /** Releases a task for another attempt, after a back-off that doubles each time. Its deadline still applies. */
    async postpone({ taskId, fence }: Drive): Promise<void> {
      await sql`
        update task set state = 'queued', lease_until = null, retries = retries + 1,
          retry_at = now() + least(interval '2 seconds' * power(2, least(retries, 16)), ${longestPause})
        where id = ${taskId}::uuid and fence = ${fence}::int and state = 'running'`.execute(db)
    },

    /** Returns whether any task may have to be ended or restarted, by the present of the database. */
    async findLost(): Promise<{ isAny: boolean; at: Date }> {
      const { rows } = await sql<{ isAny: boolean; at: Date }>`
        select exists (
          select from task where fulfilled_at is null and (${isOverdue} or ${isUndriven})
        ) as "isAny", now() as at`.execute(db)
      return rows[0] ?? { isAny: false, at: new Date() }
    },

    /** Ends lost tasks that cannot restart, and tasks past their deadline. */
    async endLost({ isOverdueToo }: { isOverdueToo: boolean }): Promise<string[]> {
      const { rows } = await sql<{ id: string }>`
        update task set state = 'timed-out', fulfilled_at = clock_timestamp(), lease_until = null, revision = revision + 1
        where id = any(array(
          select id from task where fulfilled_at is null and (
            ${isOverdueToo}::boolean and ${isOverdue}
            or ${isUndriven} and (not can_restart or losses >= ${lossesMost}::int)
          ) limit ${batch}::int for update skip locked
        ))
        returning id`.execute(db)
      return rows.map(({ id }) => id)
    },

    /** Returns lost tasks to the queue. Returns their number. */
    async restartLost(): Promise<number> {
      const { numAffectedRows = 0n } = await sql`
        update task set state = 'queued', lease_until = null, losses = losses + 1
        where id = any(array(
          select id from task where fulfilled_at is null and ${isUndriven} and can_restart and losses < ${lossesMost}::int
          for update skip locked
        ))`.execute(db)
      return Number(numAffectedRows)
    },
  }
}
export type TaskRepository = ReturnType<typeof createTaskRepository>

const unnested = (drives: readonly Drive[]) =>
  sql`unnest(${drives.map(({ taskId }) => taskId)}::uuid[], ${drives.map(({ fence }) => fence)}::int[])`

/** Returns the columns of a text; null for none. */
function storedOrNull(text: TaskText | null | undefined): { text: string | null; message: string | null } {
  if (text === null || text === undefined) return { text: null, message: null }
  const stored = storedOf(text)
  return { text: stored.text, message: stored.message && JSON.stringify(stored.message) }
}

const milliseconds = (count: number | null) =>
  sql`make_interval(secs => ${count === null ? null : count / 1000}::float8)`
