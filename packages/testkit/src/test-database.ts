import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { inject } from 'vitest'

/** What the test files connect to: a running PostgreSQL with a migrated database to copy. */
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

/** A database of its own, with the schema and nothing in it. */
export async function createTestDatabase() {
  const { template, ...server } = inject('testDatabase')
  const name = `pult_${randomUUID().replaceAll('-', '')}`
  const maintenance = { ...server, database: 'postgres' }

  // A client without the limits on time that calls have: a busy machine may take seconds to copy a database.
  async function onServer(statement: string): Promise<void> {
    const client = new pg.Client(maintenance)
    await client.connect()
    try {
      await client.query(statement)
    } finally {
      await client.end()
    }
  }

  await onServer(`create database ${name} template ${template} strategy file_copy`)
  return {
    connection: { ...server, database: name },
    drop: async () => {
      for (let tries = 1; ; tries += 1) {
        try {
          return await onServer(`drop database if exists ${name} with (force)`)
        } catch (error) {
          // A vacuum of the server's own may be at work in it, which only a superuser may end. It is soon over.
          if (tries >= 20) throw error
          await delay(250)
        }
      }
    },
  }
}
