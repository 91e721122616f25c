import { setTimeout as wait } from 'node:timers/promises'
import { apiBase, homeEndpoints, overviewEndpoints } from '@pult/contract'
import { sql } from 'kysely'
import { chromium } from 'playwright-core'
import { someReport } from '../../apps/server/src/edges/testing/virtual-agent.ts'
import type { OpenDatabase } from '../../apps/server/src/platform/database/database.ts'
import { chromiumFlags, findBrowser } from '../../tools/browser.ts'
import type { BenchOptions } from '../arguments.ts'
import { createClient } from '../calls.ts'
import { addCrowd, type CrowdMember, withDatabase } from '../crowd.ts'
import { registerRoot } from '../installation.ts'
import { percentile } from '../measure.ts'
import { familySeconds, processorSeconds } from '../processor-time.ts'
import type { Row } from '../table.ts'
import type { Workbench } from '../workbench.ts'

type Db = OpenDatabase['db']

interface Sizes {
  /** Edges of the project whose home is measured, at first and at the end. */
  edges: number
  mostEdges: number
  entries: number
  /** Number of projects of the user, and of all other users. Every other project has edges. */
  seen: number
  others: number
}

/** Reads of home per second, as of ten open screens that refetch each second. */
const homesPerSecond = 10

/**
 * Measures the home of a large project, and the overview of a user with many projects, in an installation with many
 * more. Calls are sequential, as from one screen; then home is read ten times a second. At the end, the project has ten
 * times as many edges, with tags.
 */
export async function* measureHome(bench: Workbench, { isQuick }: BenchOptions): AsyncGenerator<Row> {
  const sizes: Sizes = isQuick
    ? { edges: 50, mostEdges: 200, entries: 1000, seen: 100, others: 100 }
    : { edges: 500, mostEdges: 5000, entries: 100_000, seen: 1000, others: 10_000 }
  const [calls, seconds] = isQuick ? [50, 3] : [500, 20]
  const installation = await bench.newInstallation()
  const pult = await installation.start()
  const root = await registerRoot(pult)
  const { owner, projectId } = await withDatabase(await installation.connection(), (db) => fill(db, sizes))

  const client = createClient(pult.url, 4)
  const home = apiBase + homeEndpoints.read.path.replace(':projectId', projectId)
  const overview = apiBase + overviewEndpoints.read.path
  async function times(path: string, token: string): Promise<number[]> {
    const taken: number[] = []
    for (let call = 0; call < calls + 20; call += 1) {
      const { status, text, milliseconds } = await client.call(path, { token })
      if (status !== 200) throw new Error(`${path} answered ${status}: ${text}`)
      // The first calls warm up.
      if (call >= 20) taken.push(milliseconds)
    }
    return taken
  }
  const ofHome = await times(home, owner.token)
  const ofOverview = await times(overview, owner.token)
  const ofRoot = await times(overview, root)

  const postmaster = await installation.postmasterPid()
  const usedBy = async () => (await processorSeconds(pult.pid)) + (await familySeconds(postmaster))
  const before = await usedBy()
  const begin = performance.now()
  for (let call = 0; call < homesPerSecond * seconds; call += 1) {
    await wait(Math.max(0, begin + (call * 1000) / homesPerSecond - performance.now()))
    void client.call(home, { token: owner.token })
  }
  await wait(Math.max(0, begin + seconds * 1000 - performance.now()))
  const cores = ((await usedBy()) - before) / seconds
  const firstRows = await timesToFirstRow(pult.url, { token: owner.token, projectId }, isQuick ? 3 : 15)
  await withDatabase(await installation.connection(), (db) =>
    grow(db, projectId, [sizes.edges + 1, sizes.mostEdges]),
  )
  const ofLargeHome = await times(home, owner.token)
  client.close()
  await pult.stop()

  const text = (count: number) => count.toLocaleString('en-US')
  const p99 = (name: string, taken: number[], most: number | undefined, note: string): Row => ({
    name,
    unit: 'ms',
    ours: [percentile(taken, 0.99)],
    ...(most !== undefined && { bar: { kind: 'at most', value: most } }),
    note: `median ${percentile(taken, 0.5).toFixed(1)} ms; ${note}`,
  })
  yield* [
    p99(
      'the home of a project, p99',
      ofHome,
      40,
      `${text(sizes.edges)} edges, 20 tasks, ${text(sizes.entries)} audit entries`,
    ),
    p99(
      `the home of a project with ${text(sizes.mostEdges)} edges, p99`,
      ofLargeHome,
      undefined,
      'the same project, three tags per edge',
    ),
    p99(
      'the overview of a user, p99',
      ofOverview,
      80,
      `${text(sizes.seen)} of ${text(sizes.seen + sizes.others)} projects`,
    ),
    p99('the overview of root, p99', ofRoot, undefined, 'all projects'),
    {
      name: `${homesPerSecond} homes a second, processor time`,
      unit: '',
      ours: [cores],
      bar: { kind: 'at most', value: 0.25 },
      note: 'of one core, server and database together',
    },
    {
      name: 'home with an empty cache, until its first row',
      unit: 'ms',
      ours: firstRows,
      bar: { kind: 'at most', value: 500 },
      note: 'a signed-in user in a browser',
    },
  ]
}

/** Returns the milliseconds from opening home with an empty cache to the frame after the first problem has appeared. */
async function timesToFirstRow(
  url: string,
  { token, projectId }: { token: string; projectId: string },
  times: number,
): Promise<number[]> {
  const browser = await chromium.launch({ executablePath: await findBrowser(), args: chromiumFlags })
  const localStorage = [
    { name: 'pult.token', value: token },
    { name: 'pult.activeProjectId', value: projectId },
  ]
  const taken: number[] = []
  try {
    // The first visit warms up the browser.
    for (let time = -1; time < times; time += 1) {
      const context = await browser.newContext({
        storageState: { cookies: [], origins: [{ origin: url, localStorage }] },
      })
      const page = await context.newPage()
      // Runs in the page, because the browser's driver checks for an element only every half second.
      await page.addInitScript(watchFirstRow)
      await page.goto(url, { waitUntil: 'commit' })
      const seen = await page.waitForFunction(() => globalThis.firstRowAt)
      const at = await seen.jsonValue()
      if (time >= 0 && at !== undefined) taken.push(at)
      await context.close()
    }
  } finally {
    await browser.close()
  }
  return taken
}

declare global {
  var firstRowAt: number | undefined
}

/** Looks for a problem in each frame, and stores the time of the frame after the first one with a problem. */
function watchFirstRow(): void {
  const look = () => {
    const row = document.querySelector('main li')?.textContent?.includes('is offline')
    requestAnimationFrame(row ? () => (globalThis.firstRowAt = performance.now()) : look)
  }
  requestAnimationFrame(look)
}

/**
 * Adds a fleet: one edge in twenty is offline, one in forty has a full disk, and one in forty is waiting. No agent
 * reports during the measurement, so the last report is in the future: the server would mark all edges as offline.
 */
async function addEdges(db: Db, projects: string, [from, to]: readonly [number, number]): Promise<void> {
  await sql`
    with added as (
      insert into edge (id, project_id, label, token_hash, code_hash)
      select uuidv7(), p.id, 'Edge ' || n, case when n % 40 <> 39 then sha256((p.id::text || n)::bytea) end,
        case when n % 40 = 39 then sha256((p.id::text || n || 'code')::bytea) end
      from (${sql.raw(projects)}) p, generate_series(${from}::int, ${to}::int) n returning id, label, token_hash
    ), numbered as (
      select id, row_number() over (order by id) as n from added where token_hash is not null
    )
    insert into edge_presence (edge_id, connection, run, version, is_online, seen_at, offline_since, report, troubles,
      programs, programs_running, decks)
    select id, id, id, '1.0.0', n % 20 <> 7, now() + interval '1 day', case when n % 20 = 7 then now() - interval '1 hour' end,
      ${JSON.stringify(someReport({ disk: { total: 100, free: 5 } }))}::jsonb,
      case when n % 40 = 3 then jsonb_build_object('disk', now()) end, 3, 3, 1
    from numbered`.execute(db)
}

/** Adds edges to the project, each with a tag of its line, a tag of its hall and a unique tag. */
async function grow(db: Db, projectId: string, edges: readonly [number, number]): Promise<void> {
  await addEdges(db, `select '${projectId}'::uuid as id`, edges)
  await sql`
    update edge set tags = array['Line ' || number % 40, 'Hall ' || number % 9, label]
    from (select id, row_number() over (order by id) as number from edge) numbered
    where numbered.id = edge.id and project_id = ${projectId}::uuid`.execute(db)
  await sql`vacuum analyze`.execute(db)
}

/** Adds ten short outages of each edge within the last week. */
const addOutages = (db: Db) =>
  sql`
    insert into edge_outage (edge_id, begins, ends)
    select edge_id, at, at + interval '9 minutes'
    from edge_presence, generate_series(now() - interval '6 days', now() - interval '1 hour', interval '15 hours') at`.execute(
    db,
  )

async function fill(db: Db, sizes: Sizes): Promise<{ owner: CrowdMember; projectId: string }> {
  const [owner, other] = await addCrowd(db, 20)
  if (owner === undefined || other === undefined) throw new Error('No users were added')
  for (const [person, count] of [
    [owner, sizes.seen],
    [other, sizes.others],
  ] as const)
    await sql`
      insert into project (id, label, owner_id, products, config)
      select uuidv7(make_interval(secs => -7200 * random())), 'Projekt ' || n, ${person.personId}::uuid,
        '{project,edges,media-library}', '{"consoleColor": "#0b6470"}'
      from generate_series(1, ${count}::int) n`.execute(db)
  const { rows } = await sql<{ id: string }>`
    select id from project where owner_id = ${owner.personId}::uuid order by id limit 1`.execute(db)
  const projectId = rows[0]?.id ?? ''
  await sql`
    insert into project_grant (id, project_id, person_id, product_role)
    select uuidv7(), p.id, person.id, 'edges/viewer'
    from project p cross join (
      select id from person where id not in (${owner.personId}::uuid, ${other.personId}::uuid) order by id limit 4
    ) person`.execute(db)
  await addEdges(db, `select '${projectId}'::uuid as id`, [1, sizes.edges])
  // 4,500 edges in 750 of the user's projects, and as many in projects of others.
  for (const person of [owner, other])
    await addEdges(
      db,
      `select id from project where owner_id = '${person.personId}' and id <> '${projectId}' order by id limit ${Math.round(sizes.seen * 0.75)}`,
      [1, 6],
    )
  await addOutages(db)
  await sql`
    insert into task (id, project_id, type, kind, title, state, created_by, lease_for, lease_until, deadline_at, fulfilled_at)
    select uuidv7(), p.id, 'bench/task', 'info', 'Export ' || n,
      case when n <= 5 then 'running' when n <= 8 then 'rejected' else 'finished' end, ${owner.personId}::uuid,
      interval '1 day', now() + interval '1 day', now() + interval '1 day', case when n > 5 then now() - interval '1 hour' end
    from (
      select ${projectId}::uuid as id, 20 as most
      union all (select id, 6 from project where id <> ${projectId}::uuid order by id limit 500)
    ) p, lateral generate_series(1, p.most) n`.execute(db)
  await sql`
    insert into audit (id, at, event, result, actor_id, target, project_id, address, detail)
    select uuidv7(), now() - make_interval(secs => n * 60), (array['edge.restarted', 'note.changed', 'medium.created', 'project.changed'])[1 + n % 4],
      'success', case when n % 3 = 0 then ${owner.personId}::uuid else ${other.personId}::uuid end, uuidv7()::text, p.id, '192.0.2.1',
      '{"label": "Gate"}'
    from (
      select ${projectId}::uuid as id, ${sizes.entries}::int as most
      union all select id, 5 from project where id <> ${projectId}::uuid
    ) p, lateral generate_series(1, p.most) n`.execute(db)
  await sql`vacuum analyze`.execute(db)
  return { owner, projectId }
}
