import { apiBase, edgeEndpoints, edgeEnrolmentEndpoints, edgeValueEndpoints } from '@pult/contract'
import { type GivenPerson, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { createLog } from '#platform/log.ts'
import {
  connectAgent,
  someReport,
  type VirtualAgent,
  type VirtualAgentOptions,
} from '../testing/virtual-agent.ts'
import { createValuesQuota, sweepEdgeValues } from './clean-up.ts'
import { rollUpEdgeValues } from './roll-up.ts'
import { createSampleRepository, type Minute } from './sample.repository.ts'

const server = await testServer()
const { given, db } = server

let owner: GivenPerson
let projectId: string
let params: { projectId: string; edgeId: string }
let token: string
beforeEach(async () => {
  owner = await given.person()
  projectId = (await given.project(owner, { products: ['project', 'edges'] })).projectId
  ;({ params, token } = await enrolled())
})

const agents: VirtualAgent[] = []
afterEach(() => {
  for (const { ws } of agents.splice(0)) ws.terminate()
})

async function enrolled() {
  const { body } = await owner.call(edgeEndpoints.enrol, { params: { projectId }, body: { label: 'Hall' } })
  server.watchSecret(body.code)
  const redeemed = await server.call(edgeEnrolmentEndpoints.redeem, { body: { code: body.code } })
  server.watchSecret(redeemed.body.token)
  return { params: { projectId, edgeId: body.edge._id }, token: redeemed.body.token }
}

async function connect(options: VirtualAgentOptions = {}) {
  const agent = await connectAgent(server.url, { token, ...options })
  agents.push(agent)
  await expect.poll(() => agent.messages[0]?.type).toBe('welcome')
  return agent
}

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const iso = (at: number) => new Date(at).toISOString()

const read = async (from: number, more: { to?: string; points?: string; keys?: string } = {}) => {
  const answer = await owner.call(edgeValueEndpoints.read, { params, query: { from: iso(from), ...more } })
  expect(answer).toSucceed()
  return answer.body
}
const valuesOf = ({ series }: Awaited<ReturnType<typeof read>>, key: string) =>
  series.find((one) => one.key === key)?.avg.filter((value) => value !== null)

const untilKept = (agent: VirtualAgent, until: number) =>
  expect
    .poll(() => agent.messages.some((message) => message.type === 'kept' && message.until >= until))
    .toBe(true)

/** Rolls up the test's own samples, regardless of the time up to which an earlier run has rolled up. */
async function rollUp() {
  await db.deleteFrom('edge_rollup').execute()
  await rollUpEdgeValues(db)
}

/** Writes a sample every 5 s; `valueOf` returns the value for its index. */
async function write(
  from: number,
  to: number,
  valueOf: (index: number) => number | null,
  edgeId = params.edgeId,
) {
  const [series] = await createSampleRepository(db).seriesOf([{ edgeId, key: 'load', unit: '%' }])
  const minutes: Minute[] = []
  for (let at = from; at < to; at += minute) {
    const ticks = new Map<number, Map<number, number>>()
    for (let tick = 0; tick < 12; tick += 1) {
      const value = valueOf((at - from) / 5000 + tick)
      if (value !== null) ticks.set(tick * 500, new Map([[series?.id ?? 0, value]]))
    }
    if (ticks.size > 0) minutes.push({ edgeId, at, ticks })
  }
  for (let first = 0; first < minutes.length; first += 1000)
    await createSampleRepository(db).write(minutes.slice(first, first + 1000))
}

const kept = async () => {
  const { rows } = await sql<{ samples: number; minutes: number; quarters: number }>`
    select (select count(*) from edge_sample where edge_id = ${params.edgeId}) as samples,
      (select count(*) from edge_minute where series in (select id from edge_series where edge_id = ${params.edgeId})) as minutes,
      (select count(*) from edge_quarter where series in (select id from edge_series where edge_id = ${params.edgeId})) as quarters`.execute(
    db,
  )
  return rows[0]
}

test('samples that an agent sends after an absence keep their own times, and are acknowledged', async () => {
  const agent = await connect()
  const now = Date.now()
  const at = Math.floor((now - 10 * minute) / minute) * minute
  const samples = [0, 5000, 10_000].map((later, index) => ({
    at: at + later,
    values: { load: index, 'kiln.a': 900 + index },
  }))
  const values = [{ key: 'kiln.a', value: 902, unit: '°C' }]
  agent.send({ type: 'report', report: someReport({ values }), at: now, samples })
  await untilKept(agent, at + 10_000)
  // The same samples again, as after a lost acknowledgement, with one more.
  const more = { at: at + 15_000, values: { load: 3, 'kiln.a': 903 } }
  agent.send({ type: 'report', report: someReport(), at: now, samples: [...samples, more] })
  await untilKept(agent, at + 15_000)
  const found = await read(at, { to: iso(at + minute) })
  expect(found).toMatchObject({ from: iso(at), width: 5 })
  expect(found.series.map(({ key, unit }) => [key, unit])).toEqual([
    ['kiln.a', '°C'],
    ['load', '%'],
  ])
  expect(found.series[1]?.avg).toEqual([0, 1, 2, 3, ...Array.from({ length: 8 }, () => null)])
  expect(valuesOf(await read(at, { keys: 'kiln.a' }), 'load')).toBeUndefined()
})

test('a clock that is a year off changes no time, and samples from the future are dropped', async () => {
  const agent = await connect()
  const year = 365 * day
  const now = Date.now()
  const at = Math.floor((now - 3 * minute) / minute) * minute
  const samples = [
    { at: at + year, values: { load: 7 } },
    { at: at + year + day, values: { load: 8 } },
    { at: at - day, values: { load: 9 } },
  ]
  agent.send({ type: 'report', report: someReport(), at: now + year, samples })
  await untilKept(agent, at + year)
  expect(valuesOf(await read(at - hour, { keys: 'load' }), 'load')).toEqual([7])
  expect((await kept())?.samples).toBe(1)
})

test.each([
  ['a value that is not a number', { values: { load: null } }],
  ['a value beyond all limits', { values: { load: 1e16 } }],
  ['2,000 keys', { values: Object.fromEntries(Array.from({ length: 2000 }, (_, n) => [`k${n}`, n])) }],
  ['a key with spaces', { values: { 'a b': 1 } }],
  ['a time that is not a number', { at: 'now', values: { load: 1 } }],
])(
  'RULE-76 a sample with %s is left out, and the report and its other samples are stored',
  async (_, sample) => {
    const agent = await connect()
    const now = Date.now()
    const samples = [
      { at: now - 5 * minute, values: { load: 1 } },
      { at: now, ...sample },
    ]
    agent.ws.send(JSON.stringify({ type: 'report', report: someReport(), at: now, samples }))
    await untilKept(agent, now - 5 * minute)
    expect(valuesOf(await read(now - hour, { keys: 'load' }), 'load')).toEqual([1])
    expect(agent.isOpen()).toBe(true)
  },
)

test('RULE-76 a sample with 10,000 keys closes the connection and nothing of the report is stored', async () => {
  const agent = await connect()
  const now = Date.now()
  const values = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`k${n}`, n]))
  const samples = [{ at: now, values }]
  agent.ws.send(JSON.stringify({ type: 'report', report: someReport(), at: now, samples }))
  expect(await agent.closed).toBe(1009)
  expect(await kept()).toMatchObject({ samples: 0 })
})

test('an edge has a history of only as many values as its limit', async () => {
  const requested = Array.from({ length: 250 }, (_, n) => ({ edgeId: params.edgeId, key: `k${n}`, unit: '' }))
  const repository = createSampleRepository(db)
  expect(await repository.seriesOf(requested)).toHaveLength(200)
  expect(await repository.seriesOf(requested)).toHaveLength(200)
})

test('points of minutes and quarters have the figures of all samples, and gaps remain gaps', async () => {
  const today = Math.floor(Date.now() / day) * day
  // Both days have ended for the points, even shortly after midnight.
  const begin = today - 3 * day
  // 20 minutes without a sample, and figures that differ from a mean of means.
  const valueOf = (index: number) =>
    index >= 600 && index < 840 ? null : index % 7 === 0 ? (index % 97) * 1.37 : index % 13
  await write(begin, begin + 26 * hour, valueOf)
  const all = Array.from({ length: (26 * hour) / 5000 }, (_, index) => valueOf(index))
  const expected = (width: number, to: number) => {
    const size = (width * 1000) / 5000
    return Array.from({ length: Math.ceil((to - begin) / (width * 1000)) }, (_, place) => {
      const some = all.slice(place * size, (place + 1) * size).filter((value) => value !== null)
      if (some.length === 0) return null
      return {
        min: Math.min(...some),
        avg: Number((some.reduce((sum, value) => sum + value, 0) / some.length).toPrecision(9)),
        max: Math.max(...some),
      }
    })
  }
  const figures = async (width: number) => {
    const to = begin + 26 * hour
    const points = Math.ceil((to - begin) / (width * 1000))
    const found = await read(begin, { to: iso(to), points: String(points), keys: 'load' })
    expect(found.width).toBe(width)
    const [series] = found.series
    return series?.avg.map((avg, place) =>
      avg === null
        ? null
        : { min: series.min[place], avg: Number(avg.toPrecision(9)), max: series.max[place] },
    )
  }
  await sql`update installation set retention = retention || '{"edgeSamples": 5}'`.execute(db)
  await db.deleteFrom('edge_rollup').execute()
  const before = await figures(300)
  expect(before).toEqual(expected(300, begin + 26 * hour))
  expect(await figures(900)).toEqual(expected(900, begin + 26 * hour))
  await rollUp()
  await rollUp()
  expect(await kept()).toMatchObject({ minutes: 26, quarters: 2 })
  // The samples are deleted, and the figures are the same.
  await sql`delete from edge_sample where edge_id = ${params.edgeId}`.execute(db)
  const near = (value: unknown) =>
    JSON.parse(JSON.stringify(value), (_, one) =>
      typeof one === 'number' ? Number(one.toPrecision(8)) : one,
    ) as unknown
  expect(near(await figures(300))).toEqual(near(expected(300, begin + 26 * hour)))
  expect(near(await figures(900))).toEqual(near(expected(900, begin + 26 * hour)))
  expect(near(await figures(3600))).toEqual(near(expected(3600, begin + 26 * hour)))
})

test('the clean-up empties expired partitions and returns their disk space', async () => {
  const now = Math.floor(Date.now() / day) * day
  await write(now - 5 * day, now - 5 * day + 6 * hour, (index) => index % 10)
  await write(now, now + hour, (index) => index % 10)
  await sql`update installation set retention = retention || '{"edgeSamples": 1}'`.execute(db)
  const size = async () =>
    (
      await sql<{
        size: number
      }>`select sum(pg_total_relation_size(inhrelid))::bigint as size from pg_inherits
      where inhparent = 'edge_sample'::regclass`.execute(db)
    ).rows[0]?.size ?? 0
  const before = await size()
  await sweepEdgeValues(db)
  expect((await kept())?.samples).toBe(60)
  expect(await size()).toBeLessThan(before)
  const { rows } = await sql<{ count: number }>`
    select count(*) from edge_values_used where project_id = ${projectId} and period < to_timestamp(${now / 1000 - 2 * 86_400}::float8)`.execute(
    db,
  )
  expect(rows[0]?.count).toBe(0)
})

test('one sample of the future does not hide the expired ones of its partition, also with the longest retention', async () => {
  const today = Math.floor(Date.now() / day) * day
  const tomorrow = today + day
  // Nine partitions rotate: tomorrow has the one of eight days ago. A query would find its first row first.
  await sql`truncate edge_sample`.execute(db)
  await write(tomorrow, tomorrow + minute, () => 1)
  await write(tomorrow - 9 * day, tomorrow - 9 * day + 10 * minute, () => 1)
  await write(tomorrow - 8 * day, tomorrow - 8 * day + 5 * minute, () => 1)
  onTestFinished(async () => {
    await sql`update installation set retention = retention - 'edgeSamples'`.execute(db)
  })
  await sql`update installation set retention = retention || '{"edgeSamples": 7}'`.execute(db)
  await sweepEdgeValues(db)
  expect((await kept())?.samples).toBe(5)
})

test('a project above its quota loses its oldest samples first, and other projects lose nothing', async () => {
  const begin = Math.floor(Date.now() / day) * day - 6 * hour
  await write(begin, begin + 4 * hour, (index) => index)
  await rollUp()
  const used = async () =>
    (
      await sql<{
        bytes: number
      }>`select sum(bytes)::bigint as bytes from edge_values_used where project_id = ${projectId}`.execute(db)
    ).rows[0]?.bytes ?? 0
  const bytes = await used()
  const lines: string[] = []
  const log = createLog('info', { write: (line) => void lines.push(line) })
  await createValuesQuota(bytes, log)(db)
  expect((await kept())?.samples).toBe(240)
  expect(lines).toEqual([])
  await createValuesQuota(bytes - 1, log)(db)
  expect(await kept()).toMatchObject({ samples: 180, minutes: 4 })
  expect(await used()).toBeLessThan(bytes)
  // The log names the deleted bytes of each project.
  const line: unknown = JSON.parse(lines.join())
  expect(line).toMatchObject({
    projects: 1,
    deletions: [{ projectId, kind: 'sample', periods: 1, bytes: bytes - (await used()) }],
    msg: 'values were deleted because projects exceed EDGE_VALUES_QUOTA',
  })
})

test('an edge with many values loses its series without values, and others keep theirs', async () => {
  const hourAgo = Math.floor(Date.now() / hour) * hour - hour
  await write(hourAgo - hour, hourAgo, () => 1)
  const other = await enrolled()
  const add = (edgeId: string, count: number) =>
    createSampleRepository(db).seriesOf(
      Array.from({ length: count }, (_, n) => ({ edgeId, key: `k${n}`, unit: '' })),
    )
  await add(params.edgeId, 100)
  await add(other.params.edgeId, 100)
  const left = async (edgeId: string) =>
    (await db.selectFrom('edge_series').select('key').where('edge_id', '=', edgeId).execute()).map(
      ({ key }) => key,
    )
  await sweepEdgeValues(db)
  expect(await left(params.edgeId)).toEqual(['load'])
  expect(await left(other.params.edgeId)).toHaveLength(100)
  // A series has values as long as its minutes or quarters.
  await rollUp()
  await sql`delete from edge_sample where edge_id = ${params.edgeId}`.execute(db)
  for (const table of ['edge_quarter', 'edge_minute']) {
    await add(params.edgeId, 100)
    await sweepEdgeValues(db)
    expect(await left(params.edgeId)).toEqual(['load'])
    await sql`
      delete from ${sql.table(table)}
      where series in (select id from edge_series where edge_id = ${params.edgeId})`.execute(db)
  }
  await add(params.edgeId, 100)
  await sweepEdgeValues(db)
  expect(await left(params.edgeId)).toEqual([])
})

test('values of a deleted edge are deleted', async () => {
  await write(Math.floor(Date.now() / hour) * hour - 2 * hour, Math.floor(Date.now() / hour) * hour, () => 1)
  await rollUp()
  expect(await owner.call(edgeEndpoints.remove, { params })).toSucceed()
  await sweepEdgeValues(db)
  expect(await kept()).toEqual({ samples: 0, minutes: 0, quarters: 0 })
})

test('outages begin with the last report and end with the next one', async () => {
  const agent = await connect()
  agent.report()
  const state = async () => (await owner.call(edgeEndpoints.read, { params })).body
  await expect.poll(async () => (await state()).state).toBe('online')
  agent.ws.terminate()
  await sql`update edge_presence set seen_at = seen_at - interval '1 hour' where edge_id = ${params.edgeId}`.execute(
    db,
  )
  await expect.poll(async () => (await state()).state).toBe('offline')
  const [open] = (await read(Date.now() - day)).outages
  expect(open).toEqual({ from: (await state()).offlineSince, to: null })
  const next = await connect()
  next.report()
  await expect.poll(async () => (await read(Date.now() - day)).outages[0]?.to ?? null).not.toBeNull()
  const [closed] = (await read(Date.now() - day)).outages
  expect(Date.parse(closed?.to ?? '') - Date.parse(closed?.from ?? '')).toBeGreaterThan(0.9 * hour)
})

test('CSV has a line for each point, and a spreadsheet cannot run a unit as a formula', async () => {
  const begin = Math.floor(Date.now() / hour) * hour - hour
  await write(begin, begin + minute, (index) => index)
  await sql`update edge_series set unit = '=1"' where edge_id = ${params.edgeId}`.execute(db)
  const { body } = await owner.call(edgeValueEndpoints.export, {
    params,
    query: { from: iso(begin), to: iso(begin + minute), points: '2' },
  })
  expect(body).toBe(
    `time,key,unit,min,avg,max\r\n${iso(begin)},load,"'=1""",0,2.5,5\r\n${iso(begin + 30_000)},load,"'=1""",6,8.5,11\r\n`,
  )
  const path = edgeValueEndpoints.export.path
    .replace(':projectId', params.projectId)
    .replace(':edgeId', params.edgeId)
  const address = `${server.url}${apiBase}${path}?from=${iso(begin)}`
  const answer = await fetch(address, { headers: { authorization: `Bearer ${owner.token}` } })
  expect(Buffer.from(await answer.arrayBuffer()).subarray(0, 7)).toEqual(Buffer.from('\ufefftime'))
})

test.each([
  ['an invalid instant', { from: 'yesterday' }],
  ['an end before the begin', { from: iso(Date.now() - hour), to: iso(Date.now() - 2 * hour) }],
  ['a begin in the future', { from: iso(Date.now() + hour) }],
  ['too many points', { from: iso(Date.now() - hour), points: '1001' }],
])('RULE-54 a range with %s is rejected', async (_, query) => {
  expect(await owner.call(edgeValueEndpoints.read, { params, query })).toFailWith('VALIDATION_FAILED')
})

test('a list reads the last 24 hours of its edges in one call, without other projects and edges without values', async () => {
  const now = Date.now()
  const begin = Math.floor(now / hour) * hour - 3 * hour
  // Half an hour with 40, then a gap of an hour, then 60 until now.
  await write(begin, begin + hour / 2, () => 40)
  await write(begin + 1.5 * hour, now, () => 60)
  const other = await enrolled()
  const stranger = await given.person()
  const foreign = (await given.project(stranger, { products: ['edges'] })).projectId
  const courses = async (who: GivenPerson, where: string) => {
    const edges = [params.edgeId, other.params.edgeId].join(',')
    const answer = await who.call(edgeValueEndpoints.courses, {
      params: { projectId: where },
      query: { edges },
    })
    expect(answer).toSucceed()
    return answer.body
  }
  const seen = async () => {
    const { from, width, items } = await courses(owner, projectId)
    expect(items.map(({ edge }) => edge)).toEqual([params.edgeId])
    const places = (at: number) => Math.floor((at - Date.parse(from)) / (width * 1000))
    const load = items[0]?.load ?? []
    expect(items[0]?.memory.every((value) => value === null)).toBe(true)
    expect(Date.parse(from)).toBeLessThanOrEqual(now - day)
    expect(load.slice(0, places(begin)).every((value) => value === null)).toBe(true)
    return load.slice(places(begin), places(begin) + 4)
  }
  await db.deleteFrom('edge_rollup').execute()
  expect(await seen()).toEqual([40, null, null, 60])
  // Points of minutes have the same figures.
  await rollUp()
  expect(await seen()).toEqual([40, null, null, 60])
  expect((await courses(stranger, foreign)).items).toEqual([])
})

test.each([
  ['an invalid id', 'hall'],
  ['36 hyphens', '-'.repeat(36)],
  ['an id without its hyphens', '01a1ffc02d5e7c318f426b0f4a1de711abcd'],
  ['an empty id', '01a1ffc0-2d5e-7c31-8f42-6b0f4a1de711,'],
  [
    'more edges than one call may name',
    Array.from({ length: 101 }, () => '01a1ffc0-2d5e-7c31-8f42-6b0f4a1de711').join(','),
  ],
])('RULE-54 a call for courses with %s is rejected', async (_, edges) => {
  const answer = await owner.call(edgeValueEndpoints.courses, { params: { projectId }, query: { edges } })
  expect(answer).toFailWith('VALIDATION_FAILED')
})

test('the values of a fleet are the medians of its edges, now and by the hour, with their outages', async () => {
  const now = Date.now()
  const begin = Math.floor(now / hour) * hour - 3 * hour
  const other = await enrolled()
  await write(begin, begin + hour, () => 20)
  await write(begin, begin + 2 * hour, () => 60, other.params.edgeId)
  await db.deleteFrom('edge_rollup').execute()
  for (const [each, load] of [
    [token, 1],
    [other.token, 3],
  ] as const) {
    const agent = await connectAgent(server.url, { token: each })
    agents.push(agent)
    agent.report(someReport({ load: [load, 0, 0], cores: 4 }))
  }
  await sql`update edge set enrolled_at = now() - interval '2 days' where project_id = ${projectId}`.execute(
    db,
  )
  await sql`insert into edge_outage (edge_id, begins, ends)
    values (${params.edgeId}, now() - interval '18 hours', now() - interval '6 hours'),
      (${params.edgeId}, now() - interval '40 hours', now() - interval '39 hours')`.execute(db)
  const values = async (who = owner, where = projectId) => {
    const answer = await who.call(edgeValueEndpoints.fleet, { params: { projectId: where } })
    expect(answer).toSucceed()
    return answer.body
  }
  await expect.poll(async () => (await values()).measures[0]).toMatchObject({ median: 50, highest: 75 })
  const { from, width, measures, reachable, outages } = await values()
  const place = (begin - Date.parse(from)) / (width * 1000)
  expect(measures.map(({ key }) => key)).toEqual(['load', 'memory', 'disk'])
  const course = [null, 40, 60, null]
  expect(measures[0]?.course.slice(place - 1, place + 3)).toEqual(course)
  // Points of minutes have the same figures.
  await rollUp()
  expect((await values()).measures[0]?.course.slice(place - 1, place + 3)).toEqual(course)
  expect(outages).toBe(1)
  expect(reachable).toBeCloseTo(0.75, 2)

  const stranger = await given.person()
  const foreign = (await given.project(stranger, { products: ['edges'] })).projectId
  expect(await values(stranger, foreign)).toMatchObject({
    measures: [{ median: null, highest: null }, {}, {}],
    reachable: null,
    outages: 0,
  })
})
