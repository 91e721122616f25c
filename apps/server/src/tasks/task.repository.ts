import { type RawBuilder, sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import type { Db } from '#platform/database/database.ts'
import {
  countedAtMost,
  idAfter,
  type Page,
  type PageQuery,
  pageOf,
  pageSizeOf,
  searchCondition,
} from '#platform/database/page.ts'
import {
  projectColumns,
  type TaskOfProjectRow,
  type TaskRow,
  taskColumns,
  type UpdateRow,
  updateColumns,
} from './task.ts'

/** A task of a project. */
export interface TaskPlace {
  projectId: string
  taskId: string
}

/** A task as who drives it knows it. */
export interface Drive {
  taskId: string
  fence: number
}

export type TaskEnd = 'finished' | 'rejected' | 'timed-out' | 'aborted'

export interface Outcome {
  state: TaskEnd
  progress?: readonly [number, number] | undefined
  info?: string | undefined
  error?: string | null
  file?: { id: string; name: string } | undefined
}

export interface NewTask {
  projectId: string
  type: string
  kind: 'info' | 'download-generation'
  title: string
  payload?: unknown
  createdBy: string | null
  /** Milliseconds after which it is given up, and after which whoever drives it counts as lost. */
  deadline: number
  leaseFor: number
  canRestart: boolean
  /** Of the service that drives it from now on. */
  tokenId?: string
  repeatKey?: string | undefined
}

/** A task that this node runs from now on. */
export interface ClaimedTask extends UpdateRow {
  fence: number
  payload: unknown
  created_by: string | null
}

export interface TaskListQuery extends PageQuery {
  state?: 'open' | 'ended' | undefined
}

/** Tasks of these projects, or of all. */
export interface TasksOf {
  projectIds: readonly string[] | 'all'
  createdBy?: string | undefined
}

/** Where a task `t` comes from, conditions on it, and how many are read. */
interface Listing {
  from: RawBuilder<unknown>
  matches: RawBuilder<unknown>
  isAfter: RawBuilder<unknown>
  most: RawBuilder<unknown>
}

export interface ArchivedTask {
  id: string
  project_id: string
  title: string
  type: string
  kind: string
  state: string
  error: string | null
  file_id: string | null
  created_at: Date
  fulfilled_at: Date
  created_by: string | null
}

/** After so many losses of those who drove it a task is what makes them go. */
const lossesMost = 3

/** How many tasks one look ends, or one call archives, in one transaction. */
const batch = 200

/** An ended task that nobody archives is archived by itself. */
const listedFor = sql`interval '30 days'`

const creatorName = sql<string>`coalesce(creator.firstname || ' ' || creator.lastname, '')`

const searchable = {
  text: [sql<string>`t.title`, sql<string>`t.type`, sql<string>`coalesce(t.info, '')`, creatorName],
  keys: {
    title: { text: sql<string>`t.title` },
    type: { text: sql<string>`t.type` },
    kind: { text: sql<string>`t.kind` },
    state: { text: sql<string>`t.state` },
    user: { text: creatorName },
  },
}

const stateCondition = (state: TaskListQuery['state']) =>
  state === undefined
    ? sql`true`
    : state === 'open'
      ? sql`t.fulfilled_at is null`
      : sql`t.fulfilled_at is not null`

const itsCreator = sql`left join person creator on creator.id = t.created_by`
const itsProject = sql`left join project on project.id = t.project_id`

const fromTasks = sql`from task t`
const fromTasksAndCreators = sql`${fromTasks} ${itsCreator}`

const countedMost = sql`limit ${countedAtMost}::int`

/**
 * That a column is this value, said so that an index which begins with another column is no way to read the rows in
 * their order. How many tasks of a project are archived is nothing that PostgreSQL knows of: it would take a walk through
 * a million of others for a short one.
 */
const isExactly = (column: RawBuilder<unknown>, value: RawBuilder<unknown>) =>
  sql`${column} >= ${value} and ${column} <= ${value}`

/** This of tasks that match, the newest first. Each way has one index that has them in this order. */
function listed(
  what: RawBuilder<unknown>,
  { projectIds, createdBy }: TasksOf,
  { from, matches, isAfter, most }: Listing,
): RawBuilder<unknown> {
  // Of one person, who has begun no million of tasks.
  if (createdBy !== undefined) {
    return sql`
      select ${what} ${from} where ${isExactly(sql`t.created_by`, sql`${createdBy}::uuid`)} and ${matches} and ${isAfter}
        and ${projectIds === 'all' ? isOfProject : sql`t.project_id = any(${projectIds}::uuid[])`}
      order by t.created_by desc, t.id desc ${most}`
  }
  if (projectIds === 'all') {
    return sql`
      select ${what} ${from} where ${isOfProject} and ${matches} and ${isAfter}
      order by t.archived_at desc, t.id desc ${most}`
  }
  const ofProject = (id: RawBuilder<unknown>) => sql`
    select ${what} ${from} where ${isExactly(sql`t.project_id`, id)} and ${matches} and ${isAfter}
    order by t.project_id desc, t.id desc ${most}`
  const [first, ...others] = projectIds
  if (first !== undefined && others.length === 0) return ofProject(sql`${first}::uuid`)
  // Of each project no more than can be part of the page.
  return sql`
    select each.* from unnest(${projectIds}::uuid[]) seen (id) cross join lateral (${ofProject(sql`seen.id`)}) each
    order by each.id desc ${most}`
}

/** Tasks of a project that was deleted are there until they are swept away. */
const isOfProject = sql`exists (select from project present where present.id = t.project_id)`

/**
 * What these still drive, with what they bring of it, locked in one order: whoever writes many tasks at once waits for
 * others that do, and never in a circle.
 */
const held = (given: RawBuilder<unknown>) => sql`
  held as materialized (
    select given.* from task join ${given} on given.id = task.id and given.fence = task.fence
    where task.state = 'running' order by task.id for no key update of task
  )`

/** Repeated where it is written: of a row that had to be waited for, the newest version counts. */
const isStillHeld = sql`task.id = held.id and task.state = 'running' and task.fence = held.fence`

/** Of tasks that have not ended. */
const isOverdue = sql`deadline_at <= now()`
const isUndriven = sql`(state = 'running' and lease_until <= now())`

export function createTaskRepository(db: Db) {
  /** What `columns` names of the tasks on a page, read with what is joined `beside` each; nothing unless `isSeen`. */
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
    const after = idAfter(query)
    const matches = sql`
      t.archived_at is null and ${stateCondition(query.state)} and ${searchCondition(query.search, searchable)}`
    // Only a search looks at who began a task. Without the join PostgreSQL counts from the index alone: a join that it
    // finds to be of no use still sends it to each row.
    const from = query.search === undefined ? fromTasks : fromTasksAndCreators
    const most = sql`limit ${size + 1}::int`
    const counted = listed(sql`t.id`, of, { from, matches, isAfter: sql`true`, most: countedMost })
    // A search looks at each task: the first page is the beginning of what it counts, and looked for once.
    const isOnce = after === undefined && query.search !== undefined
    const { rows } = await sql<(Row | { id: null }) & { count: number }>`
      ${isOnce ? sql`with counted as materialized (${counted})` : sql``}
      select ${columns}, number.count
      from (select count(*) from ${isOnce ? sql`counted` : sql`(${counted}) counted`}) number
      left join (${
        isOnce
          ? sql`select t.* from (select id from counted order by id desc ${most}) newest join task t on t.id = newest.id`
          : listed(sql`t.*`, of, {
              from,
              matches,
              isAfter: after === undefined ? sql`true` : sql`t.id < ${after}::uuid`,
              most,
            })
      }) t on true ${beside}
      where ${isSeen}
      order by t.id desc`.execute(db)
    if (rows[0] === undefined) return undefined
    return pageOf(
      rows.filter((row): row is Row & { count: number } => row.id !== null),
      { size, count: rows[0].count, keyOf: ({ id }) => id, itemOf },
    )
  }

  async function one(condition: RawBuilder<unknown>): Promise<TaskRow | undefined> {
    const { rows } = await sql<TaskRow>`
      select ${taskColumns} ${fromTasksAndCreators} where ${condition} and t.archived_at is null`.execute(db)
    return rows[0]
  }

  async function archiveEnded(which: RawBuilder<unknown>): Promise<ArchivedTask[]> {
    const { rows } = await sql<ArchivedTask>`
      with ended as (
        select * from task where archived_at is null and fulfilled_at is not null and ${which}
      )
      update task set archived_at = now(), created_by = null, file_id = null, revision = task.revision + 1
      from ended where task.id = ended.id and task.archived_at is null
      returning task.id, task.project_id, task.title, task.type, task.kind, task.state, task.error, ended.file_id,
        task.created_at, task.fulfilled_at, ended.created_by`.execute(db)
    return rows
  }

  return {
    /** Of one project, the newest first; undefined unless the project is seen, which is asked along with them. */
    ofProject: <Item>(
      { projectId, isSeen }: { projectId: string; isSeen: RawBuilder<boolean> },
      query: TaskListQuery,
      itemOf: (row: TaskRow) => Item,
    ): Promise<Page<Item> | undefined> =>
      page({ projectIds: [projectId] }, query, { columns: taskColumns, beside: itsCreator, isSeen }, itemOf),

    /** Of all these, the newest first. */
    async list<Item>(
      of: TasksOf,
      query: TaskListQuery,
      itemOf: (row: TaskOfProjectRow) => Item,
    ): Promise<Page<Item>> {
      const columns = sql<TaskOfProjectRow>`${taskColumns}, ${projectColumns}`
      const beside = sql`${itsProject} ${itsCreator}`
      const found = await page(of, query, { columns, beside, isSeen: sql`true` }, itemOf)
      return found ?? { items: [], total: 0 }
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

    /** Of these tasks of a project, what somebody who drives them needs to know. */
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
     * The products of a project to which a task is added now, and how many of its tasks go on: as many until the
     * transaction ends. Undefined when the project is gone.
     */
    async holdProject(projectId: string): Promise<{ products: string[]; open: number } | undefined> {
      await sql`select pg_advisory_xact_lock(hashtextextended(${`task ${projectId}`}, 0))`.execute(db)
      const { rows } = await sql<{ products: string[]; open: number }>`
        select products, (select count(*) from task where project_id = project.id and fulfilled_at is null) as open
        from project where id = ${projectId}::uuid for key share`.execute(db)
      return rows[0]
    },

    async findRepeated(tokenId: string, repeatKey: string): Promise<string | undefined> {
      const { rows } = await sql<{ id: string }>`
        select id from task where token_id = ${tokenId}::uuid and repeat_key = ${repeatKey}`.execute(db)
      return rows[0]?.id
    },

    async add(task: NewTask): Promise<string> {
      const id = uuidv7()
      const isDriven = task.tokenId !== undefined
      await sql`
        insert into task (id, project_id, type, kind, title, state, payload, created_by, token_id, repeat_key, can_restart,
          fence, lease_for, lease_until, started_at, deadline_at)
        values (${id}::uuid, ${task.projectId}::uuid, ${task.type}, ${task.kind}, ${task.title},
          ${isDriven ? 'running' : 'queued'}, ${task.payload === undefined ? null : JSON.stringify(task.payload)}::jsonb,
          ${task.createdBy}::uuid, ${task.tokenId ?? null}::uuid, ${task.repeatKey ?? null}, ${task.canRestart},
          ${isDriven ? 1 : 0}, ${milliseconds(task.leaseFor)},
          case when ${isDriven}::boolean then now() + ${milliseconds(task.leaseFor)} end,
          case when ${isDriven}::boolean then now() end, now() + ${milliseconds(task.deadline)})`.execute(db)
      return id
    },

    /** Which of these types have tasks that wait. */
    async waiting(types: readonly string[]): Promise<string[]> {
      const { rows } = await sql<{ type: string }>`
        select type from unnest(${types}::text[]) type
        where exists (select from task where state = 'queued' and task.type = type.type)`.execute(db)
      return rows.map(({ type }) => type)
    },

    /** Takes tasks that wait, the oldest first, for somebody who has nothing to do. */
    async claim(type: string, most: number): Promise<ClaimedTask[]> {
      const { rows } = await sql<ClaimedTask>`
        update task set state = 'running', fence = fence + 1, lease_until = now() + lease_for,
          started_at = coalesce(started_at, clock_timestamp()), progress_done = null, progress_total = null, info = null,
          revision = revision + 1
        where id = any(array(
          select id from task t where state = 'queued' and type = ${type} and deadline_at > now() and ${isOfProject}
          order by id limit ${most}::int for update skip locked
        ))
        returning ${updateColumns}, task.fence, task.payload, task.created_by`.execute(db)
      return rows
    },

    /** Keeps leases; answers those that are still there to be kept, their project too. */
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
     * Writes what was reported, of those that are still driven by who reports; what is null stays. Services keep their
     * lease with it. Answers what changed.
     */
    async report(
      reports: readonly (Drive & { progress: readonly [number, number] | null; info: string | null })[],
    ): Promise<UpdateRow[]> {
      const given = sql`unnest(${reports.map(({ taskId }) => taskId)}::uuid[], ${reports.map(({ fence }) => fence)}::int[],
        ${reports.map(({ progress }) => progress?.[0] ?? null)}::float8[],
        ${reports.map(({ progress }) => progress?.[1] ?? null)}::float8[], ${reports.map(({ info }) => info)}::text[])
        as given (id, fence, done, total, info)`
      const { rows } = await sql<UpdateRow & { isChanged: boolean }>`
        with ${held(given)}
        update task set progress_done = coalesce(held.done, progress_done),
          progress_total = coalesce(held.total, progress_total), info = coalesce(held.info, task.info),
          lease_until = case when token_id is null then lease_until else now() + lease_for end,
          revision = revision + case when held.done is null and held.info is null then 0 else 1 end
        from held where ${isStillHeld}
        returning ${updateColumns}, (held.done is not null or held.info is not null) as "isChanged"`.execute(
        db,
      )
      return rows.filter(({ isChanged }) => isChanged)
    },

    /** Adds lines to the logs of those that are still driven by who logs them, and forgets the oldest above `most`. */
    async log(lines: readonly (Drive & { line: string })[], most: number): Promise<void> {
      const ids = lines.map(({ taskId }) => taskId)
      await sql`
        with given as (
          select * from unnest(${ids}::uuid[], ${lines.map(({ fence }) => fence)}::int[], ${lines.map(({ line }) => line)}::text[])
            with ordinality as each (id, fence, line, place)
        ), held as materialized (
          select id, fence from task where id = any(${ids}::uuid[]) and state = 'running' order by id for share
        )
        insert into task_log (task_id, at, line)
        select id, clock_timestamp(), line from given join held using (id, fence) order by place`.execute(db)
      await sql`
        delete from task_log using (
          select id as task_id, (
            select id from task_log where task_id = each.id order by id desc offset ${most - 1}::int limit 1
          ) as oldest from unnest(${[...new Set(ids)]}::uuid[]) each (id)
        ) kept where task_log.task_id = kept.task_id and task_log.id < kept.oldest`.execute(db)
    },

    async logOf(taskId: string): Promise<{ at: Date; line: string }[]> {
      const { rows } = await sql<{ at: Date; line: string }>`
        select at, line from task_log where task_id = ${taskId}::uuid order by id`.execute(db)
      return rows
    },

    /**
     * The one end of a task: whoever comes second changes nothing. With a fence only by who drives it. Answers whether
     * this was it.
     */
    async end({ taskId, fence }: { taskId: string; fence?: number }, outcome: Outcome): Promise<boolean> {
      const { state, progress, info, error, file } = outcome
      const isDriver = fence === undefined ? sql`true` : sql`state = 'running' and fence = ${fence}::int`
      const { numAffectedRows } = await sql`
        update task set state = ${state}, fulfilled_at = clock_timestamp(), lease_until = null,
          progress_done = coalesce(${progress?.[0] ?? null}::float8, progress_done),
          progress_total = coalesce(${progress?.[1] ?? null}::float8, progress_total),
          info = coalesce(${info ?? null}::text, info), error = ${error ?? null}::text,
          file_id = ${file?.id ?? null}::uuid, file_name = ${file?.name ?? null}::text, revision = revision + 1
        where id = ${taskId}::uuid and fulfilled_at is null and ${isDriver}`.execute(db)
      return numAffectedRows === 1n
    },

    /** Has others do what this node has begun, as far as it can begin anew. Answers how many that are. */
    async giveBack(drives: readonly Drive[]): Promise<number> {
      const { numAffectedRows = 0n } = await sql`
        update task set state = 'queued', lease_until = null
        from ${unnested(drives)} as given (id, fence)
        where task.id = given.id and task.fence = given.fence and task.state = 'running' and can_restart`.execute(
        db,
      )
      return Number(numAffectedRows)
    },

    /** Whether there is something to end or to begin anew. */
    async isAnyLost(): Promise<boolean> {
      const { rows } = await sql<{ isAny: boolean }>`
        select exists (
          select from task where fulfilled_at is null and (${isOverdue} or ${isUndriven})
        ) as "isAny"`.execute(db)
      return rows[0]?.isAny === true
    },

    /** Ends what is past its deadline, and what nobody drives any more and cannot begin anew. */
    async endOverdue(): Promise<string[]> {
      const { rows } = await sql<{ id: string }>`
        update task set state = 'timed-out', fulfilled_at = clock_timestamp(), lease_until = null, revision = revision + 1
        where id = any(array(
          select id from task where fulfilled_at is null and (
            ${isOverdue} or ${isUndriven} and (not can_restart or losses >= ${lossesMost}::int)
          ) limit ${batch}::int for update skip locked
        ))
        returning id`.execute(db)
      return rows.map(({ id }) => id)
    },

    /** What nobody drives any more waits again for somebody who does. Answers how many that are. */
    async restartLost(): Promise<number> {
      const { numAffectedRows = 0n } = await sql`
        update task set state = 'queued', lease_until = null, losses = losses + 1
        where id = any(array(
          select id from task where fulfilled_at is null and ${isUndriven} and can_restart and losses < ${lossesMost}::int
          for update skip locked
        ))`.execute(db)
      return Number(numAffectedRows)
    },

    /** Takes ended tasks of a project off the list, some of them at once. Answers them as they were. */
    archive(
      projectId: string,
      { taskId, createdBy }: { taskId?: string | undefined; createdBy?: string | undefined },
    ): Promise<ArchivedTask[]> {
      return archiveEnded(sql`
        ${isExactly(sql`project_id`, sql`${projectId}::uuid`)}
          and ${taskId === undefined ? sql`true` : sql`id = ${taskId}::uuid`}
          and ${createdBy === undefined ? sql`true` : sql`created_by = ${createdBy}::uuid`}
        order by project_id, id limit ${batch}::int for no key update`)
    },

    /** The same with what ended long ago and nobody has taken off a list, of whatever projects. */
    archiveLeft: (): Promise<ArchivedTask[]> =>
      archiveEnded(sql`
        fulfilled_at < now() - ${listedFor} order by fulfilled_at limit ${batch}::int for no key update skip locked`),
  }
}
export type TaskRepository = ReturnType<typeof createTaskRepository>

const unnested = (drives: readonly Drive[]) =>
  sql`unnest(${drives.map(({ taskId }) => taskId)}::uuid[], ${drives.map(({ fence }) => fence)}::int[])`

const milliseconds = (count: number) => sql`make_interval(secs => ${count / 1000}::float8)`
