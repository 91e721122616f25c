import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrations } from '@pult/server/migrations'
import { openDatabase } from '@pult/server/platform/database/database.ts'
import type { EmbeddedConnection } from '@pult/server/platform/database/embedded/connection.ts'
import { startEmbeddedDatabase } from '@pult/server/platform/database/embedded/embedded-database.ts'
import { migrateToLatest } from '@pult/server/platform/database/migrate.ts'
import { sql } from 'kysely'
import pg from 'pg'
import { getConstructionPlans } from 'pg-boss'
import type { TestProject } from 'vitest/node'
import { areExtensionsBuilt } from '../../../tools/build-extensions.ts'

const template = 'pult_template'

/** Starts one PostgreSQL for the whole run. Each test server copies its migrated template. */
export default async function setup({ vitest }: TestProject) {
  if (vitest.getProvidedContext().testDatabase !== undefined) return
  if (!(await areExtensionsBuilt()))
    throw new Error('The build of the extensions is stale. Run node tools/build-extensions.ts')
  const folder = await mkdtemp(join(tmpdir(), 'pult-test-'))
  const options = { dataFolder: folder, log: () => {} }
  const first = await startEmbeddedDatabase(options)
  await changeSettings(first.connection)
  await first.stop()
  const embedded = await startEmbeddedDatabase(options)
  const onError = () => {}

  // Without time limits, because a busy machine can be slow.
  const main = openDatabase({ connection: embedded.connection, limits: {}, onError })
  await sql`create database ${sql.id(template)}`.execute(main.db)
  await main.close()

  const { host, port, user } = embedded.connection
  const copied = openDatabase({
    connection: { host, port, user, database: template },
    limits: {},
    onError,
  })
  await migrateToLatest(copied.db, migrations)
  // pg-boss would otherwise create its schema in each copy.
  await sql.raw(getConstructionPlans('pgboss')).execute(copied.db)
  await copied.close()

  vitest.provide('testDatabase', { host, port, user, template })
  return async () => {
    await embedded.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Disables the writes with which PostgreSQL protects data from a power failure, and allows connections from all
 * workers. Tests kill server processes and sessions, never the machine. Tests of the embedded database start separate
 * clusters.
 */
async function changeSettings(connection: EmbeddedConnection): Promise<void> {
  const client = new pg.Client({ ...connection, user: 'postgres' })
  await client.connect()
  for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes'])
    await client.query(`alter system set ${setting} = off`)
  await client.query('alter system set max_connections = 200')
  await client.end()
}
