import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'

/** Passkeys as needed for signing in. */
export function createCredentialRepository(db: Db) {
  async function exists(passkeyId: string): Promise<boolean> {
    const row = await db.selectFrom('passkey').select('id').where('id', '=', passkeyId).executeTakeFirst()
    return row !== undefined
  }

  return {
    exists,

    async find(credentialId: string) {
      return db
        .selectFrom('passkey')
        .select(['id', 'person_id as personId', 'public_key as publicKey', 'label'])
        .where('credential_id', '=', credentialId)
        .executeTakeFirst()
    },

    /**
     * Records a use. The counter must have grown, or always be 0. Of two concurrent uses with one counter only the
     * first succeeds. https://www.w3.org/TR/webauthn-3/#sctn-sign-counter
     */
    async recordUse(passkeyId: string, counter: number): Promise<boolean> {
      const noted = await db
        .updateTable('passkey')
        .set({ counter, last_used_at: sql<Date>`now()` })
        .where('id', '=', passkeyId)
        .where((eb) =>
          eb.or([eb('counter', '<', counter), eb.and([eb('counter', '=', 0), eb.val(counter === 0)])]),
        )
        .returning('id')
        .executeTakeFirst()
      return noted !== undefined
    },

    /** Locks the passkey until the transaction ends. Returns false if it was removed or its owner is disabled. */
    async hold({ personId, passkeyId }: { personId: string; passkeyId: string }): Promise<boolean> {
      // Removing a passkey locks the person first, so this lock sees its result.
      const person = await db
        .selectFrom('person')
        .select('id')
        .where('id', '=', personId)
        .where('disabled_at', 'is', null)
        .forShare()
        .executeTakeFirst()
      return person !== undefined && exists(passkeyId)
    },
  }
}
export type StoredCredential = NonNullable<
  Awaited<ReturnType<ReturnType<typeof createCredentialRepository>['find']>>
>
