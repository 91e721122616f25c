import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { createTestDatabase } from '../../../../../packages/testkit/src/test-database.ts'
import { openDatabase } from './database.ts'

const testDatabase = await createTestDatabase()
const { connection } = testDatabase
const database = openDatabase({ connection, max: 1, onError: () => {} })
const beside = openDatabase({ connection, max: 1, isPatient: true, onError: () => {} })
afterAll(async () => {
  await database.close()
  await beside.close()
  await testDatabase.drop()
})

test('RULE-80 a statement that takes too long is refused as a database that is away is, and ends there too', async () => {
  const slow = sql`select pg_sleep(30) as slow`.execute(database.db)
  await expect(slow).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' })
  const goesOn = async () => {
    const { rows } = await sql`
      select from pg_stat_activity
      where datname = current_database() and state = 'active' and query like 'select pg_sleep%'`.execute(
      beside.db,
    )
    return rows.length
  }
  await expect.poll(goesOn, { timeout: 3000 }).toBe(0)
  const { rows } = await sql`select 1 as one`.execute(database.db)
  expect(rows).toEqual([{ one: 1 }])
})

test('a statement that nobody waits for takes the time that it takes', async () => {
  const { rows } = await sql`select 1 as one, pg_sleep(2)::text`.execute(beside.db)
  expect(rows).toMatchObject([{ one: 1 }])
})

test('a connection that could not roll back is not used again', async () => {
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
  const failing = db.transaction().execute(() => Promise.reject(new Error('cannot go on')))
  await expect(failing).rejects.toThrow('cannot')
  expect(await backend()).not.toBe(before)
})
