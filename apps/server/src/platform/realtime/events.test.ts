import { setTimeout as sleep } from 'node:timers/promises'
import { isReadSince } from '@pult/contract'
import { underLoad } from '@pult/testkit'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { type DatabaseConnection, openDatabase } from '#platform/database/database.ts'
import { createLog } from '#platform/log.ts'
import { createTestDatabase } from '../../../../../packages/testkit/src/test-database.ts'
import { createEventConnection } from './event-connection.ts'
import type { ReceivedEvent } from './event-tail.ts'
import { createEvents, sweepEvents } from './events.ts'

const testDatabase = await createTestDatabase()
const { connection } = testDatabase
const stops: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const stop of stops) await stop()
  await testDatabase.drop()
})

/** The parts of one node. */
async function startNode(to: DatabaseConnection = connection, options: { pollInterval?: number } = {}) {
  const database = openDatabase({ connection: to, max: 8, onError: () => {} })
  const events = createEvents({ db: database.db, connection: to, log: createLog('silent'), ...options })
  const received: ReceivedEvent[] = []
  events.listen((event) => received.push(event))
  let isStopped = false
  async function stop(): Promise<void> {
    if (isStopped) return
    isStopped = true
    await events.stop()
    await database.close()
  }
  stops.push(stop)
  await events.start()
  return {
    ...events,
    db: database.db,
    received,
    names: () => received.map(({ name }) => name),
    emit: (name: string) => events.transaction((_trx, emit) => emit({ topic: 'test', name, data: { name } })),
    stop,
  }
}

const warnings: string[] = []
process.on('warning', ({ message }) => warnings.push(message))

const [a, b] = [await startNode(), await startNode()]

/** Closes the event connections of the nodes, like a restart of the database. */
async function endEventConnections(): Promise<void> {
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'pult events' and datname = current_database()`.execute(a.db)
}

/** Counts wake-ups as another node would receive them. */
async function listenForWakes(to: DatabaseConnection) {
  const client = new pg.Client(to)
  const wakes: number[] = []
  client.on('notification', () => wakes.push(performance.now()))
  await client.connect()
  await client.query('listen pult_event')
  return { wakes, stop: () => client.end() }
}

test('RULE-64 the position of a node grows with each event that it hands on, and is its own', async () => {
  const before = a.position()
  expect(isReadSince(before, before)).toBe(true)
  expect(isReadSince(before, b.position())).toBe(false)
  const seen: string[] = []
  const stop = a.listen(() => seen.push(a.position()))
  await b.emit('elsewhere')
  await expect.poll(() => seen).toHaveLength(1)
  stop()
  // An event counts as soon as a listener receives it.
  expect(isReadSince(before, seen[0])).toBe(false)
  expect(isReadSince(a.position(), seen[0])).toBe(true)
})

test('RULE-64 1,000 events from two nodes are received on both, each once, in the order of each writer', async () => {
  const writers = Array.from({ length: 10 }, (_, writer) => writer)
  await Promise.all(
    writers.map(async (writer) => {
      const node = writer % 2 === 0 ? a : b
      for (let index = 0; index < 100; index += 1) {
        await node.transaction((_trx, emit) =>
          emit({ topic: 'writes', name: 'written', data: { writer, index } }),
        )
      }
    }),
  )
  for (const node of [a, b]) {
    const ofTest = () => node.received.filter(({ topic }) => topic === 'writes')
    await vi.waitFor(() => expect(ofTest()).toHaveLength(1000), 30_000)
    for (const writer of writers) {
      const indexes = ofTest().flatMap(({ data }) => (data['writer'] === writer ? [data['index']] : []))
      expect(indexes).toEqual(Array.from({ length: 100 }, (_, index) => index))
    }
  }
})

test('RULE-64 an event that commits late is received on both nodes, after those that overtook it', async () => {
  const { promise: isWritten, resolve: written } = Promise.withResolvers<void>()
  const { promise: overtaken, resolve: commit } = Promise.withResolvers<void>()
  const late = a.transaction(async (_trx, emit) => {
    await emit({ topic: 'test', name: 'late', data: {} })
    written()
    await overtaken
  })
  await isWritten
  await b.emit('overtaking')
  for (const node of [a, b]) await vi.waitFor(() => expect(node.names()).toContain('overtaking'), 30_000)
  expect(a.names()).not.toContain('late')
  commit()
  await late
  for (const node of [a, b]) {
    await vi.waitFor(() => expect(node.names().slice(-2)).toEqual(['overtaking', 'late']), 30_000)
    const [overtaking, lateEvent] = node.received.slice(-2)
    expect(lateEvent?.id).toBeLessThan(overtaking?.id ?? 0)
  }
})

test('RULE-64 events of a failed transaction are not received', async () => {
  const failing = a.transaction(async (_trx, emit) => {
    await emit({ topic: 'test', name: 'failed', data: {} })
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  await a.emit('after the failure')
  await vi.waitFor(() => expect(b.names()).toContain('after the failure'), 30_000)
  expect(b.names()).not.toContain('failed')
})

test('RULE-64 only a commit with events sends a wake-up, at most one per 50 ms', async () => {
  // Wake-ups of other tests may still be on their way.
  const apart = await createTestDatabase()
  const node = await startNode(apart.connection)
  const { wakes, stop } = await listenForWakes(apart.connection)
  await node.transaction((trx) => sql`select pg_current_xact_id()`.execute(trx))
  await node.transaction(async (_trx, emit) => {
    await emit({ topic: 'test', name: 'slow', data: {} })
    await sleep(150)
    expect(wakes).toEqual([])
  })
  await vi.waitFor(() => expect(wakes).toHaveLength(1), 30_000)
  await sleep(100)

  wakes.length = 0
  const from = performance.now()
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let index = 0; index < 40; index += 1) await node.emit('burst')
    }),
  )
  await vi.waitFor(() => expect(node.names().filter((name) => name === 'burst')).toHaveLength(320), 30_000)
  await sleep(120)
  const elapsed = (wakes.at(-1) ?? 0) - from
  expect(wakes.length).toBeGreaterThan(1)
  expect(wakes.length).toBeLessThanOrEqual(elapsed / 50 + 2)
  await stop()
  await node.stop()
  await apart.drop()
})

test('RULE-62 an event immediately after another is not delayed until the poll', async () => {
  const [writer, reader] = [
    await startNode(connection, { pollInterval: 600_000 }),
    await startNode(connection, { pollInterval: 600_000 }),
  ]
  for (let round = 0; round < 12; round += 1) {
    await writer.emit('first')
    await writer.emit(`second ${round}`)
    await vi.waitFor(() => expect(reader.names()).toContain(`second ${round}`), 30_000)
  }
  await writer.stop()
  await reader.stop()
})

test('RULE-62 an event whose node died before its wake-up is received within a second', async () => {
  const from = performance.now()
  await b.db.insertInto('event').values({ topic: 'test', name: 'unwoken', data: '{}' }).execute()
  for (const node of [a, b]) await vi.waitFor(() => expect(node.names()).toContain('unwoken'), 30_000)
  expect(performance.now() - from).toBeLessThan(underLoad(1000))
})

test('RULE-64 no event is lost or duplicated when the event connections fail repeatedly', async () => {
  const total = 300
  const breaking = (async () => {
    for (let round = 0; round < 5; round += 1) {
      await endEventConnections()
      await sleep(120)
    }
  })()
  for (let index = 0; index < total; index += 1) {
    await (index % 2 === 0 ? a : b).emit(`through ${index}`)
    await sleep(2)
  }
  await breaking
  const expected = Array.from({ length: total }, (_, index) => `through ${index}`)
  for (const node of [a, b]) {
    const through = () => node.names().filter((name) => name.startsWith('through'))
    await vi.waitFor(() => expect(through()).toHaveLength(total), 30_000)
    expect(through().toSorted()).toEqual(expected.toSorted())
  }
})

test('RULE-80 events written while a node was disconnected are received within 5 s of its return', async () => {
  const apart = await createTestDatabase()
  const node = await startNode(apart.connection)
  const other = await startNode(apart.connection)
  const admin = openDatabase({
    connection: { ...connection, database: 'postgres' },
    max: 1,
    onError: () => {},
  })
  const name = apart.connection.database
  const allow = (isAllowed: boolean) =>
    sql`alter database ${sql.id(name)} with allow_connections ${sql.raw(String(isAllowed))}`.execute(admin.db)
  try {
    // A node's pool keeps its connection.
    await sql`select 1`.execute(other.db)
    await allow(false)
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'pult events' and datname = ${name}`.execute(admin.db)
    await other.emit('while away')
    await sleep(1500)
    expect(node.names()).toEqual([])
    await allow(true)
    await vi.waitFor(() => expect(node.names()).toEqual(['while away']), 30_000)
  } finally {
    await node.stop()
    await other.stop()
    await admin.close()
    await apart.drop()
  }
})

test('RULE-64 a gap is reported to its listeners', async () => {
  let gaps = 0
  const forget = a.onGap(() => {
    gaps += 1
  })
  await sql`insert into event (topic, name) select 'test', 'flood' from generate_series(1, 10001)`.execute(
    a.db,
  )
  await vi.waitFor(() => expect(gaps).toBe(1), 30_000)
  forget()
  await a.emit('after the flood')
  await vi.waitFor(() => expect(a.names()).toContain('after the flood'), 30_000)
  expect(a.names()).not.toContain('flood')
})

test('RULE-64 a failing listener does not withhold events from others', async () => {
  const forget = b.listen(() => {
    throw new Error('a listener')
  })
  const after: string[] = []
  const forgetAfter = b.listen(({ name }) => after.push(name))
  await a.emit('received by the other')
  await a.emit('and the next')
  // This node may still receive events of the previous test.
  await vi.waitFor(() => expect(after.slice(-2)).toEqual(['received by the other', 'and the next']), 30_000)
  forget()
  forgetAfter()
})

test('RULE-64 the clean-up job deletes events older than 15 minutes, in any number', async () => {
  // The clean-up and its work are not awaited.
  const { db, close } = openDatabase({ connection, max: 1, limits: {}, onError: () => {} })
  onTestFinished(close)
  await sql`truncate event`.execute(db)
  await sql`
    insert into event (topic, name, created_at)
    select 'old', 'swept', now() - interval '16 minutes' from generate_series(1, 11000)`.execute(db)
  await sql`
    insert into event (topic, name, created_at)
    select 'kept', 'kept', now() - interval '14 minutes' from generate_series(1, 10)`.execute(db)
  await sweepEvents(db)
  const left = await db.selectFrom('event').select('topic').execute()
  expect(left).toEqual(Array.from({ length: 10 }, () => ({ topic: 'kept' })))
})

test('RULE-64 the event connection runs one statement at a time and continues after a failed one', async () => {
  const line = createEventConnection({ connection, log: createLog('silent'), onWake: () => {} })
  stops.push(async () => line.stop())
  await line.connect()
  const numbers = Array.from({ length: 20 }, (_, number) => number)
  const answers = await Promise.all(
    numbers.map(async (number) => {
      await line.notify()
      return (await line.query<{ number: number }>({ text: `select ${number} as number` }))[0]?.number
    }),
  )
  expect(answers).toEqual(numbers)
  expect(warnings).toEqual([])
  await expect(line.query({ text: 'select nothing' })).rejects.toThrow('nothing')
  await vi.waitFor(
    async () => expect(await line.query({ text: 'select 1 as one' })).toEqual([{ one: 1 }]),
    30_000,
  )
})

test('RULE-80 a start without a database fails, and a stop leaves no connection', async () => {
  const missing = { ...connection, database: 'pult_missing' }
  await expect(startNode(missing)).rejects.toThrow(/does not exist/)

  const count = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*) from pg_stat_activity
      where application_name = 'pult events' and datname = current_database()`.execute(a.db)
    return rows[0]?.count
  }
  const before = await count()
  const node = await startNode()
  expect(await count()).toBe((before ?? 0) + 1)
  await node.stop()
  await vi.waitFor(async () => expect(await count()).toBe(before), 30_000)
})
