import { sql } from 'kysely'
import type pg from 'pg'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { openDatabase } from '#platform/database/database.ts'
import { createTestDatabase } from '../../../../../packages/testkit/src/test-database.ts'
import { createEventTail, type EventTailParts } from './event-tail.ts'

const testDatabase = await createTestDatabase()
const database = openDatabase({ connection: testDatabase.connection, onError: () => {} })
const { db, pool } = database
afterAll(async () => {
  await database.close()
  await testDatabase.drop()
})
beforeEach(async () => {
  await pool.query('truncate event')
})

const query: EventTailParts['query'] = async <Row extends pg.QueryResultRow>(config: pg.QueryConfig) =>
  (await pool.query<Row>(config)).rows

/** Creates an up-to-date tail; returns the names of new events. */
async function tailFromNow(parts: Partial<EventTailParts> = {}) {
  const tail = createEventTail({ query, retention: 3600, ...parts })
  await tail()
  return {
    tail,
    names: async () => (await tail()).events.map(({ name }) => name),
  }
}

/** Opens a transaction with an assigned id, under the control of the test. */
async function transaction() {
  const client = await pool.connect()
  await client.query('begin')
  await client.query('select pg_current_xact_id()')
  return {
    write: (name: string) => client.query(`insert into event (topic, name) values ('t', $1)`, [name]),
    query: (text: string) => client.query(text),
    async end(how: 'commit' | 'rollback'): Promise<void> {
      await client.query(how)
      client.release()
    },
  }
}

async function write(name: string): Promise<void> {
  await db.insertInto('event').values({ topic: 't', name, data: '{}' }).execute()
}

test('RULE-64 each event is returned once, and none from before the start', async () => {
  await write('before')
  const { names } = await tailFromNow()
  await write('one')
  await write('two')
  expect(await names()).toEqual(['one', 'two'])
  expect(await names()).toEqual([])
})

test('RULE-64 events are read while an index of their table is created', async () => {
  const { names } = await tailFromNow()
  await write('one')
  const index = await transaction()
  await index.query('lock table event in share mode')
  expect(await names()).toEqual(['one'])
  await index.end('rollback')
})

test('RULE-64 an event with a lower id that commits after a higher one is returned', async () => {
  const late = await transaction()
  const { names } = await tailFromNow()
  await late.write('late')
  await write('quick')
  expect(await names()).toEqual(['quick'])
  await write('next')
  expect(await names()).toEqual(['next'])
  await late.end('commit')
  expect(await names()).toEqual(['late'])
  expect(await names()).toEqual([])
})

test('RULE-64 late events of several transactions are returned, and none of a rolled-back one', async () => {
  const open = [await transaction(), await transaction(), await transaction()]
  const { names } = await tailFromNow()
  for (const [index, each] of open.entries()) await each.write(`late ${index}`)
  await write('quick')
  expect(await names()).toEqual(['quick'])
  await open[1]?.end('rollback')
  await open[2]?.end('commit')
  expect(await names()).toEqual(['late 2'])
  await open[0]?.end('commit')
  expect(await names()).toEqual(['late 0'])
})

test('RULE-62 an open transaction with writes does not delay later events', async () => {
  const { names } = await tailFromNow()
  const forgotten = await transaction()
  await forgotten.write('never')
  await write('without delay')
  expect(await names()).toEqual(['without delay'])
  await forgotten.end('rollback')
  expect(await names()).toEqual([])
})

test('RULE-64 events of one row keep the order of its changes regardless of transaction ids', async () => {
  await pool.query(`create table if not exists thing (id int primary key, label text)`)
  await pool.query(`insert into thing values (1, '') on conflict do nothing`)
  const { names } = await tailFromNow()
  const elder = await transaction()
  const younger = await transaction()
  await younger.query(`update thing set label = 'first' where id = 1`)
  await younger.write('first')
  await younger.end('commit')
  await elder.query(`update thing set label = 'second' where id = 1`)
  await elder.write('second')
  await elder.end('commit')
  expect(await names()).toEqual(['first', 'second'])
})

test('RULE-64 savepoints and events of one transaction keep their order', async () => {
  const { names } = await tailFromNow()
  const each = await transaction()
  await each.write('one')
  await each.query('savepoint a')
  await each.write('undone')
  await each.query('rollback to a')
  await each.write('two')
  await each.end('commit')
  expect(await names()).toEqual(['one', 'two'])
})

test('RULE-64 more events than the limit are reported as a gap', async () => {
  const { tail, names } = await tailFromNow({ newMax: 5 })
  await sql`insert into event (topic, name) select 't', 'many' from generate_series(1, 5)`.execute(db)
  expect((await tail()).isGap).toBe(false)
  await sql`insert into event (topic, name) select 't', 'many' from generate_series(1, 6)`.execute(db)
  expect(await tail()).toMatchObject({ events: [], isGap: true })
  await write('after')
  expect(await names()).toEqual(['after'])
})

test('RULE-64 an absence longer than the retention of events is reported as a gap', async () => {
  const { tail } = await tailFromNow({ retention: 0.2 })
  expect((await tail()).isGap).toBe(false)
  await sql`select pg_sleep(0.3)`.execute(db)
  expect((await tail()).isGap).toBe(true)
  expect((await tail()).isGap).toBe(false)
})

test('RULE-64 a database that was restored to an earlier state is reported as a gap', async () => {
  let isFirst = true
  const tail = createEventTail({
    retention: 3600,
    async query<Row extends pg.QueryResultRow>(config: pg.QueryConfig) {
      const rows = await query<Row>(config)
      if (!isFirst) return rows
      isFirst = false
      return rows.map((row) => ({ ...row, snapshot: '900000000:900000000:', lastId: 900000000 }))
    },
  })
  await tail()
  expect((await tail()).isGap).toBe(true)
  await write('after')
  expect((await tail()).events).toMatchObject([{ name: 'after' }])
})

test('RULE-64 an event whose transaction id was assigned before a crash or fail-over is returned once', async () => {
  let isFirst = true
  const tail = createEventTail({
    retention: 3600,
    async query<Row extends pg.QueryResultRow>(config: pg.QueryConfig) {
      const rows = await query<Row>(config)
      if (!isFirst) return rows
      isFirst = false
      // The former primary had assigned 100 more ids, to transactions that were aborted.
      const next = Number(String(rows[0]?.['snapshot']).split(':')[1]) + 100
      return rows.map((row) => ({ ...row, snapshot: `${next}:${next}:` }))
    },
  })
  await write('before')
  await tail()
  await write('after')
  const { events, isGap } = await tail()
  expect([events.map(({ name }) => name), isGap]).toEqual([['after'], false])
  expect((await tail()).events).toEqual([])
})
