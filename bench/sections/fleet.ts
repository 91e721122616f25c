import { fork } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { apiBase, edgeEndpoints, edgeValueEndpoints, projectEndpoints } from '@pult/contract'
import { sql } from 'kysely'
import { someReport } from '../../apps/server/src/edges/testing/virtual-agent.ts'
import { rollUpEdgeValues } from '../../apps/server/src/edges/values/roll-up.ts'
import { createSampleRepository, type Minute } from '../../apps/server/src/edges/values/sample.repository.ts'
import type { OpenDatabase } from '../../apps/server/src/platform/database/database.ts'
import { hashToken, newToken } from '../../apps/server/src/platform/secrets.ts'
import type { BenchOptions } from '../arguments.ts'
import { createClient } from '../calls.ts'
import { withDatabase } from '../crowd.ts'
import { type Installation, registerRoot } from '../installation.ts'
import { percentile } from '../measure.ts'
import { processorSeconds } from '../processor-time.ts'
import type { Row } from '../table.ts'
import type { Workbench } from '../workbench.ts'

export const agentsFile = fileURLToPath(new URL('./fleet-agents.ts', import.meta.url))

const minute = 60_000
const day = 24 * 60 * minute

/** Values of one edge, and samples per minute. */
export const valuesOfEdge = 12
const ticksOfMinute = 12

/** Seconds. A longer pause between two samples of an edge, normally 5 s, means that a sample was lost. */
const pauseMost = 7.5

/** Milliseconds from a sample to its row at most: the minute, its delay and two checks of the server. */
const untilWritten = minute + 15_000

/**
 * Measures the values of edges over time. The agents run the protocol code of the real agent. The measured day is
 * written by the server's code, without agents.
 */
export async function* measureFleet(bench: Workbench, { isQuick }: BenchOptions): AsyncGenerator<Row> {
  const [count, seconds, restarts, edgesOfDay] = isQuick ? [50, 10, 2, 2] : [1000, 60, 10, 20]
  const installation = await bench.newInstallation()
  let pult = await installation.start()
  const token = await registerRoot(pult)
  const client = createClient(pult.url, 1)
  const created = await client.call(apiBase + projectEndpoints.create.path, {
    token,
    body: { label: 'Bench' },
  })
  const projectId = (JSON.parse(created.text) as { _id: string })._id
  const tokens = Array.from({ length: count }, newToken)
  await withDatabase(await installation.connection(), (db) => addEdges(db, projectId, tokens))

  const agents = fork(agentsFile, { stdio: 'ignore' })
  agents.send({ server: pult.url, tokens })
  await wait(count * 10 + 10_000)
  const begin = performance.now()
  const usedBefore = await processorSeconds(pult.pid)
  await wait(seconds * 1000)
  const share = ((await processorSeconds(pult.pid)) - usedBefore) / ((performance.now() - begin) / 1000)

  for (let restart = 0; restart < restarts; restart += 1) {
    // The killed server cannot write the samples that it holds in memory.
    await pult.kill()
    pult = await installation.start()
    await wait(2000)
  }
  await wait(untilWritten)
  agents.disconnect()
  const connection = await installation.connection()
  const { samples, lost } = await withDatabase(connection, countLost)
  const { bytes, edgeId } = await withDatabase(connection, (db) => writeDay(db, projectId, edgesOfDay))

  const path =
    apiBase + edgeValueEndpoints.read.path.replace(':projectId', projectId).replace(':edgeId', edgeId)
  const from = new Date(Date.now() - 30 * day).toISOString()
  const delays: number[] = []
  let size = 0
  for (let call = 0; call < 50; call += 1) {
    const start = performance.now()
    const { status, text } = await client.call(`${path}?from=${from}&keys=value-1,value-2,value-3,value-4`, {
      token,
    })
    if (status !== 200) throw new Error(`Reading the values failed with ${status}`)
    delays.push(performance.now() - start)
    size = Buffer.byteLength(text)
  }
  const listed = isQuick ? 500 : 5000
  const listDelays = await measureList(client, await installation.connection(), {
    token,
    edges: listed,
    calls: isQuick ? 20 : 200,
  })
  const projects = isQuick ? 20 : 200
  const scrapes = await measureScrape(client, await installation.connection(), projects, isQuick ? 20 : 100)
  client.close()
  await pult.stop()

  const name = `${count.toLocaleString('en-US')} agents x ${valuesOfEdge} values every 5 s`
  yield* [
    {
      name: `${name}: % of a core for the server`,
      unit: '',
      ours: [share * 100],
      bar: { kind: 'at most', value: 25 },
    },
    {
      name: `${name}: samples lost in ${restarts} kill -9 of the server`,
      unit: '',
      ours: [lost],
      bar: { kind: 'at most', value: 0 },
      note: `of ${samples.toLocaleString('en-US')} reports`,
    },
    {
      name: 'values of edges after a day: bytes a sample, with points and indexes',
      unit: '',
      ours: [bytes],
      bar: { kind: 'at most', value: 16 },
      note: `${edgesOfDay} edges`,
    },
    {
      name: 'a chart of 30 days with four values, p95',
      unit: 'ms',
      ours: [percentile(delays, 0.95)],
      bar: { kind: 'at most', value: 150 },
    },
    {
      name: 'its size, not compressed',
      unit: 'kB',
      ours: [size / 1000],
      bar: { kind: 'at most', value: 60 },
    },
    {
      name: `the list of ${listed.toLocaleString('en-US')} edges by a tag of all edges, worst state first, p99`,
      unit: 'ms',
      ours: [percentile(listDelays, 0.99)],
      bar: { kind: 'at most', value: 60 },
      note: 'pages of 50',
    },
    {
      name: `a scrape of the metrics, more than ${listed.toLocaleString('en-US')} edges, ${projects} projects, p99`,
      unit: 'ms',
      ours: [percentile(scrapes.delays, 0.99)],
      bar: { kind: 'at most', value: 50 },
      note: `median ${percentile(scrapes.delays, 0.5).toFixed(1)} ms`,
    },
    {
      name: 'its series',
      unit: '',
      ours: [scrapes.series],
      bar: { kind: 'at most', value: 2000 },
    },
  ]
}

/** Reads the list of a fleet whose edges all have the requested tag. Returns the milliseconds of each call. */
async function measureList(
  client: ReturnType<typeof createClient>,
  connection: Awaited<ReturnType<Installation['connection']>>,
  { token, edges, calls }: { token: string; edges: number; calls: number },
): Promise<number[]> {
  const created = await client.call(apiBase + projectEndpoints.create.path, {
    token,
    body: { label: 'Fleet' },
  })
  const projectId = (JSON.parse(created.text) as { _id: string })._id
  await withDatabase(connection, async (db) => {
    const { rows } = await addEdges(db, projectId, Array.from({ length: edges }, newToken))
    const ids = rows.map(({ id }) => id)
    await sql`update edge set tags = array['Crane'] where project_id = ${projectId}::uuid`.execute(db)
    await sql`
      insert into edge_presence (edge_id, connection, run, version, is_online, seen_at, offline_since, report)
      select id, gen_random_uuid(), gen_random_uuid(), '2.4.0', false, now(), now(), ${JSON.stringify(someReport())}::jsonb
      from unnest(${ids}::uuid[]) id`.execute(db)
    await sql`analyze edge, edge_presence`.execute(db)
  })
  const delays: number[] = []
  const path = apiBase + edgeEndpoints.list.path.replace(':projectId', projectId)
  for (let call = 0; call < calls; call += 1) {
    const start = performance.now()
    const { status } = await client.call(`${path}?tags=Crane&sort=state`, { token })
    if (status !== 200) throw new Error(`Reading the list failed with ${status}`)
    delays.push(performance.now() - start)
  }
  return delays
}

/** Scrapes the metrics of an installation with some projects and the edges of the list. */
async function measureScrape(
  client: ReturnType<typeof createClient>,
  connection: Awaited<ReturnType<Installation['connection']>>,
  projects: number,
  calls: number,
): Promise<{ delays: number[]; series: number }> {
  await withDatabase(connection, (db) =>
    sql`
      insert into project (id, label, owner_id)
      select uuidv7(), 'Project ' || n, (select owner_id from project limit 1)
      from generate_series(1, ${projects - 2}::int) n`.execute(db),
  )
  const delays: number[] = []
  let series = 0
  for (let call = 0; call < calls; call += 1) {
    const { status, text, milliseconds } = await client.call(`${apiBase}/metrics`)
    if (status !== 200) throw new Error(`Scraping the metrics failed with ${status}`)
    // The first one loads the library.
    if (call > 0) delays.push(milliseconds)
    series = text.split('\n').filter((line) => line !== '' && !line.startsWith('#')).length
  }
  return { delays, series }
}

export const addEdges = (db: OpenDatabase['db'], projectId: string, tokens: readonly string[]) =>
  sql<{ id: string }>`
    insert into edge (id, project_id, label, token_hash, enrolled_at)
    select uuidv7(), ${projectId}::uuid, 'Edge ' || lpad(n::text, 4, '0'), hash, now()
    from unnest(${tokens.map(hashToken)}::bytea[]) with ordinality as each (hash, n) returning id`.execute(db)

/** Counts the samples, and the missing ones between two samples of an edge. */
async function countLost(db: OpenDatabase['db']): Promise<{ samples: number; lost: number }> {
  const { rows } = await sql<{ samples: number; lost: number }>`
    select count(*) as samples, coalesce(sum(floor(pause / ${pauseMost}::float8)), 0)::int as lost from (
      select extract(epoch from taken - lag(taken) over (partition by edge_id order by taken)) as pause
      from (select edge_id, at + tick * interval '10 milliseconds' as taken from edge_sample, unnest(ticks) tick) t
    ) p`.execute(db)
  return rows[0] ?? { samples: 0, lost: 0 }
}

/**
 * Writes a day of samples for some edges, and 30 days of points for one edge. Returns the bytes per sample of the day.
 */
async function writeDay(db: OpenDatabase['db'], projectId: string, edges: number) {
  await sql`truncate edge_sample, edge_minute, edge_quarter, edge_rollup`.execute(db)
  const { rows } = await addEdges(db, projectId, Array.from({ length: edges }, newToken))
  const ids = rows.map(({ id }) => id)
  const repository = createSampleRepository(db)
  const series = await repository.seriesOf(
    ids.flatMap((edgeId) =>
      Array.from({ length: valuesOfEdge }, (_, key) => ({ edgeId, key: `value-${key}`, unit: '°C' })),
    ),
  )
  const ofEdge = Map.groupBy(series, ({ edgeId }) => edgeId)
  const begin = Math.floor(Date.now() / day) * day - day
  for (let at = begin; at < begin + day; at += 20 * minute) {
    const minutes = ids.flatMap((edgeId) =>
      Array.from({ length: 20 }, (_, index): Minute => {
        const keys = ofEdge.get(edgeId) ?? []
        const values = () =>
          new Map(keys.map(({ id }) => [id, Math.round(Math.random() * 100_000) / 100] as const))
        const ticks = Array.from({ length: ticksOfMinute }, (_value, tick) => [tick * 500, values()] as const)
        return { edgeId, at: at + index * minute, ticks: new Map(ticks) }
      }),
    )
    await repository.write(minutes)
  }
  await rollUpEdgeValues(db)
  const size = await sql<{ bytes: number }>`
    select sum(pg_total_relation_size(inhrelid))::float8 as bytes from pg_inherits
    where inhparent in ('edge_sample'::regclass, 'edge_minute'::regclass, 'edge_quarter'::regclass)`.execute(
    db,
  )
  const samples = ids.length * valuesOfEdge * ticksOfMinute * 24 * 60
  // Earlier days have points of one edge.
  await sql`
    insert into edge_quarter (part, series, at, places, counts, lows, means, highs)
    select (floor(extract(epoch from earlier) / (90 * 86400))::bigint % 14)::smallint, series, earlier, places, counts, lows, means, highs
    from edge_quarter, generate_series(1, 30) n, lateral (select at - n * interval '1 day' as earlier) e`.execute(
    db,
  )
  return { bytes: (size.rows[0]?.bytes ?? 0) / samples, edgeId: ids[0] ?? '' }
}
