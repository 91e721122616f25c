import { createTestDatabase } from '@pult/testkit'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { migrations } from '../../../migrations/index.ts'
import { openDatabase } from './database.ts'
import { migrateToLatest } from './migrate.ts'
import { orderOf, renewNameOrder } from './name-order.ts'

const testDatabase = await createTestDatabase()
const { connection } = testDatabase
const { db, close } = openDatabase({ connection, max: 1, limits: {}, onError: () => {} })
afterAll(async () => {
  await close()
  await testDatabase.drop()
})

test('silverbulletmd/silverbullet#614 zammad/zammad#1564 names have the order that people expect', async () => {
  const names = ['Ähre', 'Apfel', 'Kran 2', 'kran 2b', 'Kran 10', 'Ost', 'Österreich', 'Zebra', 'Zürich']
  const { rows } = await sql<{ name: string }>`
    select name from unnest(${names.toReversed()}::text[]) name order by ${orderOf(sql`name`)}`.execute(db)
  expect(rows.map(({ name }) => name)).toEqual(names)
})

/** Returns the files of the indexes of names: each write of an index begins another file. */
async function indexFiles() {
  const { rows } = await sql<{ name: string; file: string }>`
    select relname as name, pg_relation_filenode(oid) as file from pg_class
    where relkind = 'i' and relname like '%\\_in\\_order' order by 1`.execute(db)
  return rows
}

const storedVersion = async () =>
  (
    await sql<{ stored: string; actual: string }>`
      select collversion as stored, pg_collation_actual_version(oid) as actual
      from pg_collation where collname = 'name_order'`.execute(db)
  ).rows[0]

test('indexes in the order of names are written again once another version of ICU has another order', async () => {
  const before = await indexFiles()
  expect(before.map(({ name }) => name)).toEqual([
    'edge_job_line_in_order',
    'email_in_order',
    'media_in_order',
    'person_in_order',
  ])
  await renewNameOrder(db)
  expect(await indexFiles()).toEqual(before)

  // Only the superuser may pretend an update of ICU.
  const superuser = new pg.Client({ ...connection, user: 'postgres' })
  await superuser.connect()
  await superuser.query(`update pg_collation set collversion = '1' where collname = 'name_order'`)
  await superuser.end()
  // As each start does, also that of two nodes at the same time.
  const other = openDatabase({ connection, max: 1, limits: {}, onError: () => {} })
  await Promise.all([migrateToLatest(db, migrations), renewNameOrder(other.db)])
  await other.close()
  const after = await indexFiles()
  expect(after.map(({ name }) => name)).toEqual(before.map(({ name }) => name))
  for (const [place, { file }] of after.entries()) expect(file).not.toBe(before[place]?.file)
  const version = await storedVersion()
  expect(version?.stored).toBe(version?.actual)
})
