import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'

export function createConfirmRepository(db: Db) {
  return {
    async hasPassword(personId: string): Promise<boolean> {
      const person = await db
        .selectFrom('person')
        .select('id')
        .where('id', '=', personId)
        .where('password_hash', 'is not', null)
        .executeTakeFirst()
      return person !== undefined
    },

    async hasPasskey(personId: string): Promise<boolean> {
      const passkey = await db
        .selectFrom('passkey')
        .select('id')
        .where('person_id', '=', personId)
        .limit(1)
        .executeTakeFirst()
      return passkey !== undefined
    },

    /** Marks the session as freshly authenticated. */
    async markAuthenticated(sessionId: string): Promise<void> {
      await db
        .updateTable('session')
        .set({ authenticated_at: sql<Date>`now()` })
        .where('id', '=', sessionId)
        .execute()
    },
  }
}
