import { type Kysely, sql } from 'kysely'
import { hasCome } from '#platform/database/clock.ts'
import type { Db } from '#platform/database/database.ts'
import type { Database } from '#platform/database/schema.ts'
import { hashToken, newToken } from '#platform/secrets.ts'
import { ceremonyPolicy, createAttempts } from '../attempts.ts'

/** Lifetime of a ceremony in milliseconds; browsers receive the same value. */
export const ceremonyLifetime = 300_000

const lifetime = sql`make_interval(secs => ${ceremonyLifetime / 1000}::int)`
const expiry = sql<Date>`now() + ${lifetime}`
/**
 * Always null, but takes as long as a reference to an existing user. PostgreSQL locks the referenced person row, and
 * that time would reveal known names (AUC 0.53 to 0.54 without this, 0.51 with it).
 */
const asSlowAsAPerson = sql<null>`(
  select null::uuid from (select from person order by id limit 1 for key share skip locked) present
)`
const sweepBatch = 1000

export interface NewChallenge {
  ceremony: 'login' | 'registration' | 'confirmation'
  /** Only this user may finish the ceremony; null means that it always fails. */
  isNamed: boolean
  personId: string | null
  sessionId: string | null
  /** Identifies the ceremony of a login. */
  userToken?: string
}

export interface TakenChallenge {
  isNamed: boolean
  personId: string | null
  /** Returns whether this is the issued challenge. */
  isFor: (challenge: string) => boolean
}

/** Stores the open ceremonies. Only digests of the challenge and the user token are stored. */
export function createChallenges(db: Db) {
  const attempts = createAttempts(db)

  /**
   * Consumes a challenge in one statement with its own commit, so that a challenge serves one attempt, successful
   * or not.
   */
  async function take(
    by: { ceremony: NewChallenge['ceremony']; sessionId: string | null },
    column: 'user_token_hash' | 'challenge_hash',
    secret: string,
  ): Promise<TakenChallenge | undefined> {
    const row = await db
      .deleteFrom('passkey_challenge')
      .where(column, '=', hashToken(secret))
      .where('ceremony', '=', by.ceremony)
      .where('session_id', 'is not distinct from', by.sessionId)
      .where(sql<boolean>`not ${hasCome(sql`expires_at`, lifetime)}`)
      .returning(['challenge_hash', 'is_named', 'person_id'])
      .executeTakeFirst()
    if (row === undefined) return undefined
    return {
      isNamed: row.is_named,
      personId: row.person_id,
      isFor: (challenge) => hashToken(challenge).equals(row.challenge_hash),
    }
  }

  return {
    /**
     * Returns the challenge: 32 random bytes in base64url. A session may begin a limited number of ceremonies;
     * logins are limited by their callers' networks.
     */
    async issue({ ceremony, isNamed, personId, sessionId, userToken }: NewChallenge): Promise<string> {
      // Per session, so that a stolen one cannot block its owner.
      if (ceremony !== 'login' && sessionId !== null) await attempts.admitInWindow(ceremonyPolicy, sessionId)
      const challenge = newToken()
      await db
        .insertInto('passkey_challenge')
        .values({
          challenge_hash: hashToken(challenge),
          ceremony,
          user_token_hash: userToken === undefined ? null : hashToken(userToken),
          is_named: isNamed,
          person_id: personId ?? (isNamed ? asSlowAsAPerson : null),
          session_id: sessionId,
          expires_at: expiry,
        })
        .execute()
      return challenge
    },

    /** A login ceremony belongs to no session. */
    takeByUserToken: (
      by: { ceremony: 'login' | 'confirmation'; sessionId: string | null },
      userToken: string,
    ) => take(by, 'user_token_hash', userToken),

    takeRegistration: (sessionId: string, challenge: string) =>
      take({ ceremony: 'registration', sessionId }, 'challenge_hash', challenge),
  }
}

/** Deletes ceremonies that expired unfinished. */
export async function sweepCeremonies(db: Kysely<Database>): Promise<void> {
  let deleted: bigint
  do {
    const result = await sql`
      delete from passkey_challenge where challenge_hash in (
        select challenge_hash from passkey_challenge where expires_at < now() limit ${sweepBatch}
      )`.execute(db)
    deleted = result.numAffectedRows ?? 0n
  } while (deleted >= sweepBatch)
}
