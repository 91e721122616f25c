import { setTimeout as wait } from 'node:timers/promises'
import {
  apiBase,
  projectEndpoints,
  type TaskUpdate,
  taskDriverEndpoints,
  taskEndpoints,
} from '@pult/contract'
import { type RawBuilder, sql } from 'kysely'
import { hashToken } from '../../apps/server/src/platform/secrets.ts'
import type { BenchOptions } from '../arguments.ts'
import { type Client, createClient } from '../calls.ts'
import { openPultClients } from '../clients.ts'
import { addCrowd, type CrowdMember, withDatabase } from '../crowd.ts'
import { percentile } from '../measure.ts'
import type { Row } from '../table.ts'
import type { Workbench } from '../workbench.ts'

type Db = Parameters<typeof addCrowd>[0]

interface Sizes {
  projects: number
  /** Tasks of each project, all reported in one call. */
  tasks: number
  callsPerSecond: number
  watchersPerProject: number
  seconds: number
}

/** A project whose service reports the progress of all its tasks, and its subscribed clients. */
interface WatchedProject {
  id: string
  token: string
  taskIds: readonly string[]
  watchers: readonly CrowdMember[]
}

/** Milliseconds for the last report to reach a client. */
const afterwards = 2000

/** Milliseconds of pause, because a host may throttle a virtual machine after it has written half a gigabyte. */
const settling = 30_000

const archivedOpen = 200
const listCalls = 1000
/** Rounds of the same calls. A single round depends more on the machine's momentary load than on the list. */
const listRounds = 5

/**
 * Measures services that report the progress of many tasks in batches while clients are subscribed, then a page of
 * the tasks of a project with a million archived ones.
 */
export async function* measureTasks(bench: Workbench, { isQuick }: BenchOptions): AsyncGenerator<Row> {
  const sizes: Sizes = isQuick
    ? { projects: 4, tasks: 50, callsPerSecond: 5, watchersPerProject: 5, seconds: 4 }
    : { projects: 20, tasks: 100, callsPerSecond: 5, watchersPerProject: 10, seconds: 30 }
  yield* measureReports(bench, sizes)
  yield* measureLists(bench, isQuick ? 50_000 : 1_000_000)
}

async function* measureReports(bench: Workbench, sizes: Sizes): AsyncGenerator<Row> {
  const { pultUrl, connection } = await bench.pair()
  const projects = await withDatabase(connection, (db) => addWatchedProjects(db, sizes))
  const byTask = new Map(projects.flatMap(({ taskIds }, place) => taskIds.map((id) => [id, place] as const)))
  /** Time of the reporting call, by project and progress. */
  const sentAt: number[][] = projects.map(() => [])
  const delays: number[] = []
  const watchers = projects.flatMap(({ watchers: ofProject, id }) =>
    ofProject.map(({ token }) => ({ token, topic: `/projects/${id}/LTT` })),
  )
  const sockets = await openPultClients(
    {
      url: pultUrl,
      onEvent({ name, data, at }) {
        if (name !== 'task:state') return
        for (const { _id, state } of data['tasks'] as TaskUpdate[]) {
          const sent = sentAt[byTask.get(_id) ?? -1]?.[state.progress?.[0] ?? -1]
          if (sent !== undefined) delays.push(at - sent)
        }
      },
    },
    watchers.map(({ token }) => token),
    (client) => [watchers[client]?.topic ?? ''],
  )
  // A separate connection for each service, so that services do not wait for each other.
  const clients = projects.map(() => createClient(pultUrl, 4))
  try {
    const begin = performance.now()
    const reported = await Promise.all(
      projects.map((project, place) =>
        report(clients[place] as Client, project, { ...sizes, begin, sentAt: sentAt[place] ?? [], place }),
      ),
    )
    const accepted = reported.flat()
    const seconds = (performance.now() - begin) / 1000
    await wait(afterwards)
    const times = accepted.map(({ milliseconds }) => milliseconds)
    const rate = sizes.projects * sizes.tasks * sizes.callsPerSecond
    yield* [
      {
        name: `reports of progress accepted, ${rate.toLocaleString('en-US')}/s sent`,
        unit: '/s',
        ours: [(accepted.length * sizes.tasks) / seconds],
        note: `${sizes.projects} projects, ${sizes.tasks} tasks in a call, ${watchers.length} sockets, ${sockets.closed.size} of them lost`,
      },
      {
        name: 'a report, from the call to the screen, p99',
        unit: 'ms',
        ours: [percentile(delays, 0.99)],
        bar: { kind: 'at most', value: 400 },
        note: `median ${percentile(delays, 0.5).toFixed(0)} ms, ${delays.length.toLocaleString('en-US')} seen on screens`,
      },
      { name: 'a reporting call, p99', unit: 'ms', ours: [percentile(times, 0.99)] },
    ]
  } finally {
    for (const client of clients) client.close()
    sockets.close()
  }
}

/** Makes calls at fixed times, even if earlier calls are still open. Returns their durations. */
async function report(
  client: Client,
  { id, token, taskIds }: WatchedProject,
  {
    callsPerSecond,
    seconds,
    begin,
    sentAt,
    place,
    projects,
  }: Sizes & { begin: number; sentAt: number[]; place: number },
): Promise<{ milliseconds: number }[]> {
  const path = apiBase + taskDriverEndpoints.reportAll.path.replace(':projectId', id)
  const count = callsPerSecond * seconds
  const calls: Promise<{ milliseconds: number }>[] = []
  for (let done = 0; done < count; done += 1) {
    // Services do not report at the same moment.
    const due = begin + ((done + place / projects) * 1000) / callsPerSecond
    await wait(Math.max(0, due - performance.now()))
    sentAt[done] = performance.now()
    const tasks = taskIds.map((_id) => ({ _id, fence: 1, progress: [done, count] }))
    calls.push(
      client.call(path, { method: 'PUT', token, body: { tasks } }).then((answer) => {
        if (answer.status !== 200 || answer.text !== '{"stopped":[]}')
          throw new Error(`A report failed with ${answer.status}: ${answer.text.slice(0, 200)}`)
        return answer
      }),
    )
  }
  return Promise.all(calls)
}

/**
 * Measures the first page of a project's tasks without the archived ones: for a project without tasks and for one
 * with a tenth as many listed tasks. Then measures the deletion of the large project.
 */
async function* measureLists(bench: Workbench, archived: number): AsyncGenerator<Row> {
  const { pultUrl, floorUrl, floorToken, connection } = await bench.pair()
  const { large, empty, token } = await withDatabase(connection, async (db) => {
    const [owner] = await addCrowd(db, 1)
    if (owner === undefined) throw new Error('No users were added')
    const add = () => addProject(db, owner.personId, [])
    const projects = { large: await add(), listed: await add(), empty: await add() }
    // Listed tasks are scattered among archived ones.
    const isArchived = sql`n % ${Math.round(archived / archivedOpen)}::int > 0`
    await addEnded(db, projects.large, archived, isArchived)
    await addEnded(db, projects.listed, archived / 10, sql`false`)
    await sql`vacuum (analyze) task`.execute(db)
    return { ...projects, token: owner.token }
  })
  // A checkpoint first writes the inserted rows, as a role that may run it. The pause lets the machine recover, so
  // that the measurement does not overlap with that work.
  await withDatabase({ ...connection, user: 'postgres' }, (db) => sql`checkpoint`.execute(db))
  await wait(settling)
  const client = createClient(pultUrl, 1)
  const bareClient = createClient(floorUrl, 1)
  const pathOf = (endpoint: { path: string }, id: string) => apiBase + endpoint.path.replace(':projectId', id)
  const list = (id: string, expected: number) => {
    // Equal responses are parsed once, so that the measuring side creates little garbage.
    let read = ''
    return async () => {
      const { status, text, milliseconds } = await client.call(pathOf(taskEndpoints.list, id), { token })
      if (text !== read && (status !== 200 || (JSON.parse(text) as { total: number }).total !== expected))
        throw new Error(`Reading the list failed with ${status}: ${text.slice(0, 200)}`)
      read = text
      return milliseconds
    }
  }
  const joinSession = async () => {
    const { status, milliseconds } = await bareClient.call('/me/database', { token: floorToken })
    if (status !== 200) throw new Error(`The floor returned ${status}`)
    return milliseconds
  }
  const row = async (name: string, ask: () => Promise<number>): Promise<Row> => {
    const [ours, floor]: [number[][], number[][]] = [[], []]
    // The first half is the warm-up, in which code is compiled and the heap's young generation finds its size.
    for (let round = -listRounds; round < listRounds; round += 1) {
      const [times, floorTimes] = [await timesOf(ask), await timesOf(joinSession)]
      if (round < 0) continue
      ours.push(times)
      floor.push(floorTimes)
    }
    const p99Of = (rounds: number[][]) => rounds.map((times) => percentile(times, 0.99))
    return {
      name,
      unit: 'ms',
      ours: p99Of(ours),
      floor: p99Of(floor),
      bar: { kind: 'at most', value: 5 },
      note: `median ${percentile(ours.flat(), 0.5).toFixed(1)} ms, ${listRounds} rounds of ${listCalls} calls; floor: a session join in turn`,
    }
  }
  const [many, listed] = [archived.toLocaleString('en-US'), (archived / 10).toLocaleString('en-US')]
  try {
    yield await row(`50 tasks of a project with ${many} archived ones, p99`, list(large, archivedOpen))
    yield await row(`a project without tasks beside one with ${listed} listed tasks, p99`, list(empty, 0))
    const removed = await client.call(pathOf(projectEndpoints.remove, large), { method: 'DELETE', token })
    if (removed.status !== 200) throw new Error(`The project was not deleted: ${removed.text}`)
    const name = `deleting the project with ${many} tasks`
    yield { name, unit: 'ms', ours: [removed.milliseconds], bar: { kind: 'at most', value: 200 } }
  } finally {
    client.close()
    bareClient.close()
  }
}

/** Returns the durations of the calls in milliseconds. */
async function timesOf(call: () => Promise<number>): Promise<number[]> {
  const times: number[] = []
  for (let count = 0; count < listCalls; count += 1) times.push(await call())
  return times
}

/** Inserts ended tasks, one second apart. */
async function addEnded(
  db: Db,
  projectId: string,
  count: number,
  isArchived: RawBuilder<unknown>,
): Promise<void> {
  await sql`
    insert into task (id, project_id, type, kind, title, state, lease_for, deadline_at, created_at, started_at,
      fulfilled_at, archived_at)
    select uuidv7(-ago), ${projectId}::uuid, 'forge/render', 'info', 'Task ' || n, 'finished', interval '1 minute',
      now() - ago, now() - ago, now() - ago, now() - ago, case when ${isArchived} then now() end
    from (
      select n, make_interval(secs => ${count}::int - n) as ago from generate_series(1, ${count}::int) n
    ) numbered`.execute(db)
}

async function addWatchedProjects(db: Db, sizes: Sizes): Promise<WatchedProject[]> {
  const crowd = await addCrowd(db, sizes.projects * sizes.watchersPerProject)
  const projects: WatchedProject[] = []
  for (let place = 0; place < sizes.projects; place += 1) {
    const first = place * sizes.watchersPerProject
    const watchers = crowd.slice(first, first + sizes.watchersPerProject)
    const ids = watchers.map(({ personId }) => personId)
    const id = await addProject(db, ids[0] ?? '', ids)
    const token = `pult-task-bench-${id}`
    await sql`
      insert into task_token (id, project_id, label, types, token_hash, created_by)
      select uuidv7(), id, 'Bench', '{forge/*}', ${hashToken(token)}::bytea, owner_id from project where id = ${id}::uuid`.execute(
      db,
    )
    const { rows } = await sql<{ id: string }>`
      insert into task (id, project_id, type, kind, title, state, token_id, fence, lease_for, lease_until, started_at, deadline_at)
      select uuidv7(), ${id}::uuid, 'forge/render', 'info', 'Task ' || n, 'running', uuidv7(), 1, interval '1 minute',
        now() + interval '5 minutes', now(), now() + interval '1 hour'
      from generate_series(1, ${sizes.tasks}::int) n returning id`.execute(db)
    projects.push({ id, token, watchers, taskIds: rows.map((row) => row.id) })
  }
  await sql`analyze project, project_grant, task, task_token`.execute(db)
  return projects
}

async function addProject(db: Db, ownerId: string, holders: readonly string[]): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into project (id, label, owner_id) values (uuidv7(), 'Tasks', ${ownerId}::uuid) returning id`.execute(
    db,
  )
  const id = rows[0]?.id ?? ''
  await sql`
    insert into project_grant (id, project_id, person_id, product_role)
    select uuidv7(), ${id}::uuid, person_id, 'project/viewer' from unnest(${holders}::uuid[]) person_id`.execute(
    db,
  )
  return id
}
