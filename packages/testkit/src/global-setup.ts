import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrations } from '@pult/server/migrations'
import { openDatabase } from '@pult/server/platform/database/database.ts'
import { startEmbeddedDatabase } from '@pult/server/platform/database/embedded/embedded-database.ts'
import { migrateToLatest } from '@pult/server/platform/database/migrate.ts'
import { sql } from 'kysely'
import type { TestProject } from 'vitest/node'
import { areExtensionsBuilt } from '../../../tools/build-extensions.ts'

const template = 'pult_template'

/** One PostgreSQL for all files of a project; each test server copies the template, which takes milliseconds. */
export default async function setup(project: TestProject) {
  if (!(await areExtensionsBuilt()))
    throw new Error('The extensions are not built as they are: node tools/build-extensions.ts')
  const folder = await mkdtemp(join(tmpdir(), 'pult-test-'))
  const embedded = await startEmbeddedDatabase({ dataFolder: folder, log: () => {} })
  const onError = () => {}

  const main = openDatabase({ connection: embedded.connection, onError })
  await sql`create database ${sql.id(template)}`.execute(main.db)
  await main.close()

  const { host, port, user } = embedded.connection
  const copied = openDatabase({ connection: { host, port, user, database: template }, onError })
  await migrateToLatest(copied.db, migrations)
  await copied.close()

  project.provide('testDatabase', { host, port, user, template })
  return async () => {
    await embedded.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
