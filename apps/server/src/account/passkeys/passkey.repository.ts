import type { Passkey } from '@pult/contract'
import { uuidv7 } from 'uuidv7'
import type { Db } from '#platform/database/database.ts'
import { authenticatorName } from './authenticators.ts'

export interface NewPasskey {
  personId: string
  credentialId: string
  publicKey: Uint8Array
  counter: number
  aaguid: string
  transports: string[]
  label: string
}

interface PasskeyRow {
  id: string
  label: string
  aaguid: string
  created_at: Date
  last_used_at: Date | null
}

const shown = ['id', 'label', 'aaguid', 'created_at', 'last_used_at'] as const

const toPasskey = (row: PasskeyRow): Passkey => ({
  _id: row.id,
  label: row.label,
  createdAt: row.created_at.toISOString(),
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
  authenticator: authenticatorName(row.aaguid),
})

export function createPasskeyRepository(db: Db) {
  return {
    async list(personId: string): Promise<Passkey[]> {
      const rows = await db
        .selectFrom('passkey')
        .select(shown)
        .where('person_id', '=', personId)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .execute()
      return rows.map(toPasskey)
    },

    /** Returns the credentials by which a browser recognises the user's passkeys. */
    async credentialsOf(personId: string): Promise<{ id: string; transports: string[] }[]> {
      return db
        .selectFrom('passkey')
        .select(['credential_id as id', 'transports'])
        .where('person_id', '=', personId)
        .execute()
    },

    /** Returns whether the session is still open. A concurrent change may have ended it. */
    async isSessionOpen(sessionId: string): Promise<boolean> {
      const row = await db
        .selectFrom('session')
        .select('id')
        .where('id', '=', sessionId)
        .where('ended_at', 'is', null)
        .executeTakeFirst()
      return row !== undefined
    },

    async count(personId: string): Promise<number> {
      const { count } = await db
        .selectFrom('passkey')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('person_id', '=', personId)
        .executeTakeFirstOrThrow()
      return count
    },

    /** Returns undefined if a passkey with this credential id exists. */
    async add(passkey: NewPasskey): Promise<Passkey | undefined> {
      const row = await db
        .insertInto('passkey')
        .values({
          id: uuidv7(),
          person_id: passkey.personId,
          credential_id: passkey.credentialId,
          public_key: Buffer.from(passkey.publicKey),
          counter: passkey.counter,
          transports: passkey.transports,
          aaguid: passkey.aaguid,
          label: passkey.label,
        })
        .onConflict((conflict) => conflict.column('credential_id').doNothing())
        .returning(shown)
        .executeTakeFirst()
      return row === undefined ? undefined : toPasskey(row)
    },

    /** Returns the label, or undefined if the person has no such passkey. */
    async remove(personId: string, passkeyId: string): Promise<string | undefined> {
      const row = await db
        .deleteFrom('passkey')
        .where('id', '=', passkeyId)
        .where('person_id', '=', personId)
        .returning('label')
        .executeTakeFirst()
      return row?.label
    },
  }
}
