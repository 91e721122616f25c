import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'

/** Passkeys as a sign-in sees them. */
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
     * Notes a use. The counter has to have grown, or to be one that never counts; of two uses with one number only the
     * first is noted, however close they are. https://www.w3.org/TR/webauthn-3/#sctn-sign-counter
     */
    async noteUse(passkeyId: string, counter: number): Promise<boolean> {
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

    /** Whether this is still a passkey of somebody who may sign in; it stays so until the transaction ends. */
    async hold({ personId, passkeyId }: { personId: string; passkeyId: string }): Promise<boolean> {
      // Who removes a passkey locks the person first, so that it is seen here as it is after that.
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
