import { setTimeout as delay } from 'node:timers/promises'
import { openDatabase } from '@pult/server/platform/database/database.ts'
import { sql } from 'kysely'
import { afterAll, expect, inject, test } from 'vitest'
import { watchTransactions } from './watch-transactions.ts'

const { host, port, user } = inject('testDatabase')
const database = openDatabase({ connection: { host, port, user, database: 'postgres' }, onError: () => {} })
const reports = watchTransactions(database, 100)
afterAll(() => database.close())
const { db } = database
const select = sql`select 1`

test('a transaction without a statement for the idle limit is reported once', async () => {
  await db.transaction().execute(async (trx) => {
    await select.execute(trx)
    await expect.poll(() => reports().length).toBe(1)
    await delay(250)
  })
  expect(reports().splice(0)).toEqual([
    expect.stringMatching(/^Error: A transaction ran no statement for 100 ms[^]+watch-transactions.test/),
  ])
})

test('a transaction with settings is also watched', async () => {
  const transaction = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
  await transaction.execute(async (trx) => {
    await select.execute(trx)
    await expect.poll(() => reports().length).toBe(1)
  })
  expect(reports().splice(0)).toEqual([expect.stringContaining('A transaction ran no statement for 100 ms')])
})

test('a transaction that waits in statements or between short pauses is not reported', async () => {
  await db.transaction().execute(async (trx) => {
    await sql`select pg_sleep(0.2)`.execute(trx)
    for (let count = 0; count < 10; count += 1) {
      await select.execute(trx)
      await delay(20)
    }
  })
  expect(reports()).toEqual([])
})

test('a transaction that acquires a second connection is reported', async () => {
  await db.transaction().execute(() => select.execute(db))
  await select.execute(db)
  expect(reports().splice(0)).toEqual([expect.stringContaining('A transaction acquired a second connection')])
})
