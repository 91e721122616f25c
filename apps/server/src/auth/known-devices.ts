import { type Kysely, sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import type { Database } from '#platform/database/schema.ts'
import { networkOf } from '#platform/http/client-address.ts'
import { hashToken } from '#platform/secrets.ts'
import { emailKey } from '../people/email-address.ts'
import { createAttempts, devicePolicy, type EscalatingPolicy, passwordPolicy } from './attempts.ts'

/** The policy and the subject that count an attempt. */
export interface CountedAs {
  policy: EscalatingPolicy
  subject: string
}

/**
 * Browsers that have signed in to an account before. Their failures are counted separately, so that strangers cannot lock
 * the account's owner out: https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies
 */
export function createKnownDevices(db: Db) {
  return {
    /**
     * Returns the accounts with this username to which this browser has signed in. Two accounts may share an address
     * that only one of them has verified, so the caller compares them with the account that signs in.
     */
    async accountsOf(username: string, device: string | undefined): Promise<string[]> {
      if (device === undefined) return []
      const rows = await db
        .selectFrom('known_device as d')
        .innerJoin('email as e', 'e.person_id', 'd.person_id')
        .select('d.person_id')
        .where('d.secret_hash', '=', hashToken(device))
        .where('e.email_key', '=', emailKey(username))
        .where(sql<boolean>`(e.verified_at is not null or e.is_default)`)
        .execute()
      return rows.map(({ person_id }) => person_id)
    },

    /**
     * Returns the subject of the limits on a network's calls. A browser that is known to an enabled account counts for
     * that account instead, so strangers in its network cannot use up its limits, and an account with many devices
     * gains nothing.
     */
    async originOf({ address, device }: { address: string; device: string | undefined }): Promise<string> {
      if (device === undefined) return networkOf(address)
      const row = await db
        .selectFrom('known_device as d')
        .innerJoin('person as p', 'p.id', 'd.person_id')
        .select('p.id')
        .where('d.secret_hash', '=', hashToken(device))
        .where('p.disabled_at', 'is', null)
        .orderBy('p.id')
        .limit(1)
        .executeTakeFirst()
      return row === undefined ? networkOf(address) : `known:${row.id}`
    },

    async isOf(personId: string, device: string | undefined): Promise<boolean> {
      if (device === undefined) return false
      const row = await db
        .selectFrom('known_device')
        .select('person_id')
        .where('person_id', '=', personId)
        .where('secret_hash', '=', hashToken(device))
        .executeTakeFirst()
      return row !== undefined
    },
  }
}
export type KnownDevices = ReturnType<typeof createKnownDevices>

export const deviceAttempt = (personId: string, device: string): CountedAs => ({
  policy: devicePolicy,
  subject: `${personId}:${hashToken(device).toString('hex')}`,
})

/** Resets the failed passwords of an account, from unknown and from known devices. */
export async function forgetPasswordFailures(trx: Db, personId: string): Promise<void> {
  await createAttempts(trx).succeed(passwordPolicy, personId)
  await sql`
    delete from attempt where key in (
      select ${devicePolicy.kind} || ':' || person_id || ':' || encode(secret_hash, 'hex')
      from known_device where person_id = ${personId}
    )`.execute(trx)
}

/** Makes this browser known to an account after a proof by its owner. */
export async function rememberDevice(db: Db, personId: string, device: string | undefined): Promise<void> {
  if (device === undefined) return
  // Locks the person first, like all changes to the sign-in.
  await sql`
    insert into known_device (person_id, secret_hash)
    select id, ${hashToken(device)} from person where id = ${personId} for key share
    on conflict (person_id, secret_hash) do update set last_used_at = now()`.execute(db)
}

/** Makes the caller's browser the only known one of an account. */
export async function keepOnlyDevice(trx: Db, personId: string, device: string | undefined): Promise<void> {
  await trx.deleteFrom('known_device').where('person_id', '=', personId).execute()
  if (device !== undefined)
    await trx
      .insertInto('known_device')
      .values({ person_id: personId, secret_hash: hashToken(device) })
      .execute()
}

/** Deletes devices after half a year without a sign-in, and all but the latest 20 of each account. */
export async function sweepKnownDevices(db: Kysely<Database>): Promise<void> {
  await sql`
    delete from known_device d using (
      select person_id, secret_hash, last_used_at,
        row_number() over (partition by person_id order by last_used_at desc) as place
      from known_device
    ) ranked
    where d.person_id = ranked.person_id and d.secret_hash = ranked.secret_hash
      and (ranked.place > 20 or ranked.last_used_at < now() - interval '180 days')`.execute(db)
}
