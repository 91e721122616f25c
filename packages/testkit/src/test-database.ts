import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { migrations } from '@pult/server/migrations'
import { openDatabase } from '@pult/server/platform/database/database.ts'
import { migrateToLatest } from '@pult/server/platform/database/migrate.ts'
import pg from 'pg'
import { inject } from 'vitest'

/** Connection of the test files: a running PostgreSQL with a migrated template database. */
interface TestDatabase {
  host: string
  port: number
  user: string
  template: string
}

declare module 'vitest' {
  interface ProvidedContext {
    testDatabase: TestDatabase
  }
}

/** A database as another administrator created it. */
interface ForeignDatabase {
  /** The options of `create database` after the encoding: the locale. */
  locale: string
  /** Defaults of its sessions, by parameter. */
  settings: Readonly<Record<string, string>>
  /** The server, by default that of all test files. */
  server?: { host: string; port: number; user: string }
}

/** Creates a separate database with the schema and no records. With `foreign`, in another locale. */
export async function createTestDatabase(foreign?: ForeignDatabase) {
  const { template, ...shared } = inject('testDatabase')
  const server = foreign?.server ?? shared
  const name = `pult_${randomUUID().replaceAll('-', '')}`
  const maintenance = { ...server, database: 'postgres' }

  // This client has no time limits, because a busy machine can take seconds to copy a database.
  async function onServer(statement: string): Promise<void> {
    const client = new pg.Client(maintenance)
    await client.connect()
    try {
      await client.query(statement)
    } finally {
      await client.end()
    }
  }

  if (foreign === undefined) await onServer(`create database ${name} template ${template} strategy file_copy`)
  else {
    await onServer(`create database ${name} template template0 encoding 'UTF8' ${foreign.locale}`)
    for (const [setting, value] of Object.entries(foreign.settings))
      await onServer(`alter database ${name} set ${setting} = '${value}'`)
    const connection = { ...server, database: name }
    const opened = openDatabase({ connection, limits: {}, onError: () => {} })
    await migrateToLatest(opened.db, migrations)
    await opened.close()
  }
  return {
    connection: { ...server, database: name },
    drop: async () => {
      for (let tries = 1; ; tries += 1) {
        try {
          return await onServer(`drop database if exists ${name} with (force)`)
        } catch (error) {
          // An autovacuum may still use the database. Only a superuser could end it, but it soon finishes.
          if (tries >= 20) throw error
          await delay(250)
        }
      }
    },
  }
}
