import { edgeEndpoints, limits } from '@pult/contract'
import { testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createLog } from '#platform/log.ts'
import type { Agent } from '../agents/agent-gateway.ts'
import { someReport } from '../testing/virtual-agent.ts'
import { createSampleKeeper } from './sample-keeper.ts'

const server = await testServer()
const { given, db } = server

const minute = 60_000
const present = Math.floor(Date.now() / minute) * minute
const report = someReport()

const owner = await given.person()
const { projectId } = await given.project(owner, { products: ['project', 'edges'] })
async function givenAgent(): Promise<Agent> {
  const made = await owner.call(edgeEndpoints.enrol, { params: { projectId }, body: { label: 'Hall' } })
  server.watchSecret(made.body.code)
  return { edgeId: made.body.edge._id } as Agent
}

/** Returns a keeper that writes only at its end, and the number of its transactions. */
function keep(now = () => present) {
  const kept: number[] = []
  const lines: string[] = []
  let transactions = 0
  const counting = new Proxy(db, {
    get(target, name) {
      if (name === 'transaction') transactions += 1
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  const keeper = createSampleKeeper({
    db: counting,
    now,
    confirmSamples: (_agent, until) => kept.push(until),
    log: createLog('info', { write: (line) => void lines.push(line) }),
  })
  return { keeper, kept, lines, transactions: () => transactions }
}

const rowsOf = async ({ edgeId }: Agent) => {
  const { rows } = await sql<{ ticks: number[]; readings: (number | null)[] }>`
    select ticks, readings from edge_sample where edge_id = ${edgeId} order by at`.execute(db)
  return rows
}

const values = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`v${index}`, index]))

test('of the samples of a second the first is stored, and all are confirmed', async () => {
  const agent = await givenAgent()
  const at = present - 2 * minute
  const send = async (shift: number) => {
    const { keeper, kept } = keep()
    for (let from = 0; from < 6000; from += 60) {
      const samples = Array.from({ length: 60 }, (_, index) => ({
        at: at + (from + index) * 10 + shift,
        values: { load: from + index },
      }))
      keeper.take(agent, { type: 'report', report, at: present, samples })
    }
    await keeper.stop()
    return Math.max(...kept)
  }
  expect(await send(0)).toBe(at + 59_990)
  const [row, ...more] = await rowsOf(agent)
  expect(more).toEqual([])
  expect(row?.ticks).toEqual(Array.from({ length: 60 }, (_, second) => second * 100))
  expect(row?.readings).toEqual(row?.ticks)
  // The stored minute has a sample in each of its seconds.
  await send(-10)
  expect((await rowsOf(agent)).at(-1)?.ticks).toEqual(row?.ticks)
})

test('reports of an agent without samples count once a second', async () => {
  const agent = await givenAgent()
  let now = present
  const { keeper } = keep(() => now)
  for (let index = 0; index < 100; index += 1) {
    now = present + index * 10
    keeper.take(agent, { type: 'report', report })
  }
  await keeper.stop()
  expect((await rowsOf(agent)).map(({ ticks }) => ticks)).toEqual([[0]])
})

test('an edge has a limited number of waiting values, which are written in small statements', async () => {
  const agent = await givenAgent()
  const { keeper, transactions } = keep()
  const all = values(limits.edgeSeriesMax)
  for (let second = 0; second < 900; second += 1) {
    const at = present - 15 * minute + second * 1000
    keeper.take(agent, { type: 'report', report, at: present, samples: [{ at, values: all }] })
  }
  await keeper.stop()
  const rows = await rowsOf(agent)
  const stored = rows.reduce((sum, { readings }) => sum + readings.length, 0)
  expect(stored).toBe(60_000)
  // 12,000 values a minute, and at most 50,000 in a statement.
  expect(transactions()).toBe(2)
})

test('the log names an edge with too many values once', async () => {
  const agent = await givenAgent()
  const { keeper, lines } = keep()
  for (let round = 0; round < 3; round += 1) {
    const others = Object.fromEntries(
      Array.from({ length: limits.edgeSeriesMax }, (_, index) => [`r${round}.${index}`, index]),
    )
    const at = present - (10 - round) * minute
    keeper.take(agent, { type: 'report', report, at: present, samples: [{ at, values: others }] })
    await keeper.stop()
  }
  expect(lines.filter((line) => line.includes('limit of values'))).toHaveLength(1)
  const { rows } = await sql`select from edge_series where edge_id = ${agent.edgeId}`.execute(db)
  expect(rows).toHaveLength(limits.edgeSeriesMax)
})

test('a node knows a series for an hour, after which one that the clean-up has deleted is created again', async () => {
  const agent = await givenAgent()
  const { keeper } = keep()
  let later = 0
  const now = performance.now.bind(performance)
  const spied = vi.spyOn(performance, 'now').mockImplementation(() => now() + later)
  onTestFinished(() => spied.mockRestore())
  const write = async (shift: number) => {
    const at = present - shift * minute
    keeper.take(agent, { type: 'report', report, at: present, samples: [{ at, values: { load: 1 } }] })
    await keeper.stop()
    const { rows } = await sql`select from edge_series where edge_id = ${agent.edgeId}`.execute(db)
    return rows.length
  }
  expect(await write(3)).toBe(1)
  await sql`delete from edge_series where edge_id = ${agent.edgeId}`.execute(db)
  later = 59 * minute
  expect(await write(2)).toBe(0)
  later = 61 * minute
  expect(await write(1)).toBe(1)
})
