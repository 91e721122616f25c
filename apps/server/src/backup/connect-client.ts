import { Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'
import { DatabaseClient } from '#platform/database/client.ts'
import type { DatabaseConnection } from '#platform/database/database.ts'
import { explainFault } from '#platform/database/database-fault.ts'
import type { Database } from '#platform/database/schema.ts'
import { lowerPriority } from './low-priority.ts'

/** Opens a separate connection without time limits. Its queries fail when the connection is lost. */
export async function connectClient(connection: DatabaseConnection, name: string): Promise<pg.Client> {
  const client = new DatabaseClient({ ...connection, application_name: name })
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (error) {
    throw new Error(`the database cannot be reached: ${explainFault(error)}`, { cause: error })
  }
  return client
}

/** Lets queries of Kysely and copies of the driver share a connection, and its transaction. */
export function onOneConnection(client: pg.Client): Kysely<Database> {
  const query = (text: string, values: readonly unknown[]) => client.query(text, [...values])
  return new Kysely<Database>({
    dialect: new PostgresDialect({
      pool: {
        options: {},
        connect: async () => ({ query: query as never, release: () => {} }),
        end: async () => {},
      },
    }),
  })
}

/** Lowers the priority of the database's process for a connection, which must be on this machine. */
export async function lowerPriorityOf(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  if (rows[0] !== undefined) await lowerPriority(rows[0].pid)
}
