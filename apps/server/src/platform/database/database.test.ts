import { type AddressInfo, createServer } from 'node:net'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { createTestDatabase } from '../../../../../packages/testkit/src/test-database.ts'
import { backgroundLimits, openDatabase } from './database.ts'
import { runSearch } from './page.ts'

const testDatabase = await createTestDatabase()
const { connection } = testDatabase
const database = openDatabase({
  connection,
  max: 1,
  limits: { connect: 1200, statement: 300 },
  onError: () => {},
})
const beside = openDatabase({ connection, max: 1, limits: {}, onError: () => {} })
afterAll(async () => {
  await database.close()
  await beside.close()
  await testDatabase.drop()
})

test('RULE-57 a statement over its time limit fails with QUERY_TIMEOUT and keeps its connection', async () => {
  const { db, read } = database
  const backend = async () =>
    (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]?.pid
  const before = await backend()
  const slow = sql`select pg_sleep(30) as slow`.execute(db)
  await expect(slow).rejects.toMatchObject({ code: 'QUERY_TIMEOUT', status: 503 })
  const slowRead = read({ name: 'slow', text: 'select pg_sleep(30)' }, [])
  await expect(slowRead).rejects.toMatchObject({ code: 'QUERY_TIMEOUT' })
  const slowInTransaction = db.transaction().execute((trx) => sql`select pg_sleep(30)`.execute(trx))
  await expect(slowInTransaction).rejects.toMatchObject({ code: 'QUERY_TIMEOUT' })
  expect(await backend()).toBe(before)
})

test('a wait for a lock over its time limit fails with QUERY_TIMEOUT and keeps its connection', async () => {
  const waiting = openDatabase({ connection, max: 1, limits: { lock: 100 }, onError: () => {} })
  const backend = async () =>
    (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(waiting.db)).rows[0]?.pid
  const before = await backend()
  await beside.db.transaction().execute(async (trx) => {
    await sql`lock table note in access exclusive mode`.execute(trx)
    const counting = sql`select count(*) from note`.execute(waiting.db)
    await expect(counting).rejects.toMatchObject({ code: 'QUERY_TIMEOUT', status: 503 })
  })
  expect(await backend()).toBe(before)
  await waiting.close()
})

test('RULE-57 a search that reaches the statement timeout reads the newest rows instead', async () => {
  const isOfNewest = runSearch(database.db, { isIndexed: true }, async (trx, isBounded) => {
    await sql`select pg_sleep(${isBounded ? 0 : 30}::int)`.execute(trx)
    return isBounded
  })
  expect(await isOfNewest).toBe(true)
})

test('RULE-80 a server that accepts connections without answering is unavailable, even for background work', async () => {
  const silent = createServer(() => {})
  await new Promise<void>((listening) => silent.listen(0, '127.0.0.1', listening))
  const { port } = silent.address() as AddressInfo
  const limits = { connect: 100, statement: 100 }
  const away = openDatabase({
    connection: { ...connection, host: '127.0.0.1', port },
    limits,
    onError: () => {},
  })
  await expect(sql`select 1`.execute(away.db)).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' })
  await away.close()
  silent.close()
  expect(backgroundLimits).toEqual({ connect: 10_000, statement: 300_000, lock: 5000 })
})

test('a pool without limits lets a statement finish', async () => {
  const { rows } = await sql`select 1 as one, pg_sleep(2)::text`.execute(beside.db)
  expect(rows).toMatchObject([{ one: 1 }])
})

test('a connection that could not roll back is discarded', async () => {
  const { db, pool } = database
  const backend = async () =>
    (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]?.pid
  const before = await backend()
  pool.once('acquire', (client) => {
    const query = client.query.bind(client) as (...given: unknown[]) => unknown
    const refusing = (statement: { text: string }, answer: (error: Error) => void) =>
      statement.text === 'rollback' ? answer(new Error('cannot roll back')) : query(statement, answer)
    client.query = refusing
  })
  const failing = db.transaction().execute(() => Promise.reject(new Error('cannot continue')))
  await expect(failing).rejects.toThrow('cannot')
  expect(await backend()).not.toBe(before)
})
