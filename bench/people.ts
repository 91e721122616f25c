import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { hashPassword } from '../apps/server/src/auth/password/password-hash.ts'
import { createPeopleRepository } from '../apps/server/src/people/people.repository.ts'
import { type OpenDatabase, openDatabase } from '../apps/server/src/platform/database/database.ts'
import type { EmbeddedConnection } from '../apps/server/src/platform/database/embedded/connection.ts'
import { password } from './installation.ts'

/** Returns a new name. All names have the same length, so that only their existence can make a difference. */
export const newName = () => `${randomBytes(8).toString('hex')}@bench.example`

export interface People {
  names: string[]
  passwordHash: string
  /** Resets all delays and attempt counters, removes added addresses and refreshes all sign-in times. */
  startOver(): Promise<void>
  close(): Promise<void>
}

/** Inserts accounts that can sign in directly into the database. */
export async function addPeople(connection: EmbeddedConnection, count: number): Promise<People> {
  const database: OpenDatabase = openDatabase({ connection, max: 1, onError: () => {} })
  const passwordHash = await hashPassword(password)
  const names = Array.from({ length: count }, newName)
  await database.db.transaction().execute(async (trx) => {
    const people = createPeopleRepository(trx)
    for (const email of names) {
      await people.add({ firstname: 'Bench', lastname: 'Person', email, passwordHash, isRoot: false })
    }
  })
  return {
    names,
    passwordHash,
    startOver: async () => {
      const { db } = database
      await db.deleteFrom('attempt').execute()
      await db.deleteFrom('email').where('verified_at', 'is', null).execute()
      await db.updateTable('session').set({ authenticated_at: sql<Date>`now()` }).execute()
    },
    close: database.close,
  }
}
