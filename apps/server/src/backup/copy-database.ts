import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { getMigrationPlans } from 'pg-boss'
import { from, to } from 'pg-copy-streams'
import type { DatabaseConnection } from '#platform/database/database.ts'
import { newerVersion } from '#platform/database/migrate.ts'
import { migrations } from '../../migrations/index.ts'
import { connectClient, onOneConnection } from './connect-client.ts'
import { jobsVersion, rebuildDatabase } from './restore-backup.ts'
import { columnsOf, listSequences, listTables, quoted, type Table } from './tables.ts'

export interface Copied {
  tables: number
  rows: number
}

/**
 * Copies a whole database to an empty one of any version of PostgreSQL, and compares the digests of all tables before
 * the copy is committed. The source does not change.
 */
export async function copyDatabase(source: DatabaseConnection, target: DatabaseConnection): Promise<Copied> {
  const reader = await connectClient(source, 'pult upgrade')
  try {
    const writer = await connectClient(target, 'pult upgrade')
    try {
      return await copyAll(reader, writer)
    } finally {
      await writer.end()
    }
  } finally {
    // Ends the transaction without a commit.
    await reader.end()
  }
}

async function copyAll(reader: pg.Client, writer: pg.Client): Promise<Copied> {
  await reader.query('begin isolation level repeatable read')
  const executed = await executedMigrations(reader)
  // The server of this installation has never started.
  if (executed.length === 0) return { tables: 0, rows: 0 }
  if (executed.some((name) => migrations[name] === undefined))
    throw new Error(
      `the database belongs to ${await newerVersion(onOneConnection(reader))}: use that version`,
    )
  const hasJobs = await renewJobTables(reader)
  const tables = await listTables(reader)
  let rows = 0
  await rebuildDatabase(writer, { migrations: executed, hasJobs }, async (_trx, addForeignKeys) => {
    for (const table of tables) rows += await copyTable(reader, writer, table)
    await addForeignKeys()
    for (const { schema, name, value } of await listSequences(reader))
      await writer.query('select setval($1::regclass, $2::bigint)', [
        `${quoted(schema)}.${quoted(name)}`,
        value,
      ])
    await compare(reader, writer)
  })
  return { tables: tables.length, rows }
}

async function executedMigrations(client: pg.Client): Promise<string[]> {
  const { rows: found } = await client.query<{ exists: boolean }>(
    `select to_regclass('public.kysely_migration') is not null as exists`,
  )
  if (found[0]?.exists !== true) return []
  const { rows } = await client.query<{ name: string }>('select name from kysely_migration order by name')
  return rows.map(({ name }) => name)
}

/**
 * Migrates the tables of the job queue, whose library can create only its newest schema. Part of the source's
 * transaction, which is rolled back.
 */
async function renewJobTables(reader: pg.Client): Promise<boolean> {
  const { rows: found } = await reader.query<{ exists: boolean }>(
    `select to_regclass('pgboss.version') is not null as exists`,
  )
  if (found[0]?.exists !== true) return false
  const { rows } = await reader.query<{ version: number }>('select version from pgboss.version')
  const version = rows[0]?.version ?? 0
  if (version > jobsVersion)
    throw new Error(
      `the job queue belongs to ${await newerVersion(onOneConnection(reader))}: use that version`,
    )
  if (version < jobsVersion) {
    const plan = getMigrationPlans('pgboss', version)
    const inTransaction = plan.replace(/^\s*BEGIN;/, '').replace(/COMMIT;\s*$/, '')
    await reader.query(inTransaction.replaceAll(' CONCURRENTLY', ''))
    await reader.query('set local lock_timeout = 0; set local idle_in_transaction_session_timeout = 0')
  }
  return true
}

async function copyTable(reader: pg.Client, writer: pg.Client, table: Table): Promise<number> {
  const rows = writer.query(from(`copy ${columnsOf(table)} from stdin`))
  try {
    await pipeline(reader.query(to(`copy ${columnsOf(table)} to stdout`)), rows)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`the table ${table.schema}.${table.name} cannot be copied: ${reason}`, { cause })
  }
  return rows.rowCount
}

async function compare(reader: pg.Client, writer: pg.Client): Promise<void> {
  const [before, after] = await Promise.all([digestsOf(reader), digestsOf(writer)])
  const names = new Set([...before.keys(), ...after.keys()])
  for (const name of names)
    if (before.get(name) !== after.get(name)) throw new Error(`the table ${name} differs after the copy`)
}

/** Returns a digest of the rows of each table, in any order, with the columns that the database computes. */
export async function digestsOf(client: pg.Client): Promise<Map<string, string>> {
  const digests = new Map<string, string>()
  for (const { schema, name, columns } of await listTables(client, { isComplete: true })) {
    // By name: a migrated table may have them in another order.
    const { rows } = await client.query<{ digest: string }>(
      `select concat_ws(' ', count(*), sum(('x' || left(row, 16))::bit(64)::bigint),
         sum(('x' || right(row, 16))::bit(64)::bigint)) as digest
       from (select md5(row(${columns.toSorted().map(quoted).join(', ')})::text) as row
         from ${quoted(schema)}.${quoted(name)}) rows`,
    )
    digests.set(`${schema}.${name}`, rows[0]?.digest ?? '')
  }
  return digests
}
