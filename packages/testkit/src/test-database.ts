import { randomUUID } from 'node:crypto'
import { openDatabase } from '@pult/server/platform/database/database.ts'
import { sql } from 'kysely'
import { inject } from 'vitest'

/** What the test files connect to: a running PostgreSQL with a migrated database to copy. */
export interface TestDatabase {
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

/** A database of its own, with the schema and nothing in it. */
export async function createTestDatabase() {
  const { template, ...server } = inject('testDatabase')
  const name = `pult_${randomUUID().replaceAll('-', '')}`
  const maintenance = { ...server, database: 'postgres' }

  async function onServer(statement: ReturnType<typeof sql>): Promise<void> {
    const database = openDatabase({ connection: maintenance, max: 1, onError: () => {} })
    try {
      await statement.execute(database.db)
    } finally {
      await database.close()
    }
  }

  await onServer(sql`create database ${sql.id(name)} template ${sql.id(template)} strategy file_copy`)
  return {
    connection: { ...server, database: name },
    drop: () => onServer(sql`drop database if exists ${sql.id(name)} with (force)`),
  }
}
