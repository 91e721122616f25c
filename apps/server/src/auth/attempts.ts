import type { ErrorCode } from '@pult/contract'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { AppError } from '#platform/app-error.ts'
import { hasCome } from '#platform/database/clock.ts'
import type { Db } from '#platform/database/database.ts'
import type { Database } from '#platform/database/schema.ts'
import { siteOf } from '#platform/http/client-address.ts'

/**
 * After `free` consecutive failures, attempts must wait. The wait doubles from `firstWait` to `longestWait` seconds.
 * After `most` failures no attempt is admitted.
 */
export interface EscalatingPolicy {
  kind: string
  free: number
  firstWait: number
  longestWait: number
  most: number
  /** Returned once `most` is reached. */
  lockedCode: ErrorCode
}

/** At most `most` failures in `seconds`. The networks of one IPv6 site together have `siteFactor` times as many. */
export interface WindowPolicy {
  kind: string
  most: number
  seconds: number
}

const siteFactor = 4

/** https://pages.nist.gov/800-63-4/sp800-63b.html 3.2.2: at most 100 consecutive failures, with growing waits. */
export const passwordPolicy: EscalatingPolicy = {
  kind: 'password',
  free: 5,
  firstWait: 30,
  longestWait: 3600,
  most: 100,
  lockedCode: 'PASSWORD_RESET_NEEDED',
}

/**
 * One-time passwords and recovery codes of an account, counted separately. Only root or the operator ends this lock.
 */
export const secondFactorPolicy: EscalatingPolicy = {
  ...passwordPolicy,
  kind: 'second-factor',
  lockedCode: 'SECOND_FACTOR_LOCKED',
}

/** Passwords from a browser that has signed in to the account before. */
export const devicePolicy: EscalatingPolicy = { ...passwordPolicy, kind: 'device' }

/** Consecutive failures outlast their waits, and clean-up jobs keep them as long as they lock. */
const escalatingPolicies = [passwordPolicy, devicePolicy, secondFactorPolicy]

/**
 * Passkeys cannot be guessed. This limits the work that one network, the known browsers of one account or one session can
 * cause; it never locks an account.
 */
export const passkeyPolicy: WindowPolicy = { kind: 'passkey', most: 100, seconds: 600 }

/** Each call stores a challenge; a console makes one when its sign-in page opens. The limit is a setting. */
export const passkeyOptionsPolicy = (most: number): WindowPolicy => ({
  kind: 'passkey-options',
  most,
  seconds: 600,
})

/** Passkey ceremonies of one session: registrations and confirmations. */
export const ceremonyPolicy: WindowPolicy = { kind: 'passkey-ceremony', most: 100, seconds: 600 }

/** Wide enough for an office behind one address. */
export const networkPolicy: WindowPolicy = { kind: 'network', most: 100, seconds: 600 }

/**
 * Failed logins of all accounts from all networks. One network can cause a fifth of them. Ten thousand users who sign
 * in within ten minutes reach the limit when one in twenty mistypes. A higher count therefore means an attack from
 * many networks. The policy raises an alarm and refuses no attempt: a global lock would let a stranger lock out
 * all users.
 */
export const alarmPolicy: WindowPolicy = { kind: 'alarm', most: 500, seconds: 600 }

/**
 * Counts attempts in the database, so that the count survives restarts and applies to all nodes. The server counts an
 * attempt before it evaluates it and removes the count on success. Concurrent attempts therefore never exceed the
 * policy, and the count remains if the transaction of the attempt rolls back. `within` resets failures as part of the
 * caller's transaction.
 */
export function createAttempts(db: Db) {
  return { ...countIn(db), within: countIn }
}
export type Attempts = ReturnType<typeof createAttempts>

/** Whether the wait or window of an attempt, which lasts at most `seconds`, has ended. Null without one. */
const hasEnded = (seconds: number) =>
  hasCome(sql`attempt.blocked_until`, sql`make_interval(secs => ${seconds}::int)`)

function countIn(db: Db) {
  const keyOf = (policy: { kind: string }, subject: string) => `${policy.kind}:${subject}`

  const waitOf = (key: string) =>
    db
      .selectFrom('attempt')
      .select(sql<number>`ceil(extract(epoch from blocked_until - now()))::int`.as('seconds'))
      .where('key', '=', key)

  const tooMany = (row: { seconds: number } | undefined) =>
    new AppError('TOO_MANY_REQUESTS', { retryAfter: Math.max(1, row?.seconds ?? 1) })

  async function refuse(key: string): Promise<never> {
    throw tooMany(await waitOf(key).executeTakeFirst())
  }

  /** Returns the number of attempts in the window, or undefined if the condition prevented the increment. */
  async function addToWindow(
    { seconds }: WindowPolicy,
    key: string,
    condition: RawBuilder<unknown>,
  ): Promise<number | undefined> {
    const { rows } = await sql<{ failures: number }>`
      insert into attempt (key, failures, blocked_until)
        values (${key}, 1, now() + make_interval(secs => ${seconds}::int))
      on conflict (key) do update set
        failures = case when ${hasEnded(seconds)} then 1 else attempt.failures + 1 end,
        blocked_until = case when ${hasEnded(seconds)}
          then now() + make_interval(secs => ${seconds}::int) else attempt.blocked_until end,
        updated_at = now()
      where ${condition}
      returning failures`.execute(db)
    return rows[0]?.failures
  }

  async function admitBelow(policy: WindowPolicy, subject: string, most: number): Promise<void> {
    const key = keyOf(policy, subject)
    const isAdmitted = sql`attempt.failures < ${most}::int or ${hasEnded(policy.seconds)}`
    if ((await addToWindow(policy, key, isAdmitted)) === undefined) await refuse(key)
  }

  async function subtract(policy: WindowPolicy, subject: string): Promise<void> {
    await db
      .updateTable('attempt')
      .set((eb) => ({ failures: eb('failures', '-', 1) }))
      .where('key', '=', keyOf(policy, subject))
      .where('failures', '>', 0)
      .execute()
  }

  return {
    /** Admits an attempt and returns the number of consecutive failures including it. */
    async admit(policy: EscalatingPolicy, subject: string): Promise<number> {
      const key = keyOf(policy, subject)
      const { rows } = await sql<{ failures: number }>`
        insert into attempt (key, failures) values (${key}, 1)
        on conflict (key) do update set
          failures = attempt.failures + 1,
          updated_at = now(),
          blocked_until = case when attempt.failures + 1 >= ${policy.free}::int then
            now() + make_interval(secs => least(
              ${policy.longestWait}::int,
              ${policy.firstWait}::int * power(2, least(attempt.failures + 1 - ${policy.free}::int, 20))
            ))
          end
        where attempt.failures < ${policy.most}::int and coalesce(${hasEnded(policy.longestWait)}, true)
        returning failures`.execute(db)
      const [counted] = rows
      if (counted !== undefined) return counted.failures

      const stored = await db
        .selectFrom('attempt')
        .select('failures')
        .where('key', '=', key)
        .executeTakeFirst()
      if (stored !== undefined && stored.failures >= policy.most) throw new AppError(policy.lockedCode)
      return refuse(key)
    },

    async admitInWindow(policy: WindowPolicy, subject: string): Promise<void> {
      const site = siteOf(subject)
      if (site !== undefined) await admitBelow(policy, site, policy.most * siteFactor)
      await admitBelow(policy, subject, policy.most).catch(async (refused: unknown) => {
        // One blocked network must not block its neighbours.
        if (site !== undefined) await subtract(policy, site)
        throw refused
      })
    },

    /** Counts without refusing. Returns true once per window: for the attempt that exceeds the limit. */
    async passesLimit(policy: WindowPolicy, subject: string): Promise<boolean> {
      return (await addToWindow(policy, keyOf(policy, subject), sql`true`)) === policy.most + 1
    },

    /** Rejects a subject above the limit without counting an attempt. */
    async refuseBlocked(policy: WindowPolicy, subject: string): Promise<void> {
      const blocked = await waitOf(keyOf(policy, subject))
        .where('failures', '>=', policy.most)
        .where(sql<boolean>`not ${hasEnded(policy.seconds)}`)
        .executeTakeFirst()
      if (blocked !== undefined) throw tooMany(blocked)
    },

    /** Returns the subjects whose next attempt at least one of the policies would refuse now. */
    async blockedAmong(
      policies: readonly EscalatingPolicy[],
      subjects: readonly string[],
    ): Promise<Set<string>> {
      const asked = policies.flatMap((policy) =>
        subjects.map((subject) => ({ key: keyOf(policy, subject), subject, policy })),
      )
      const { rows } = await sql<{ key: string }>`
        select key from attempt
        join unnest(${asked.map(({ key }) => key)}::text[], ${asked.map(({ policy }) => policy.most)}::int[],
          ${asked.map(({ policy }) => policy.longestWait)}::int[]) as asked (key, most, longest) using (key)
        where failures >= most or not ${hasCome(sql`blocked_until`, sql`make_interval(secs => longest)`)}`.execute(
        db,
      )
      const blocked = new Set(rows.map(({ key }) => key))
      return new Set(asked.flatMap(({ key, subject }) => (blocked.has(key) ? [subject] : [])))
    },

    /** Resets the consecutive failures after a success. */
    async succeed(policy: { kind: string }, subject: string): Promise<void> {
      await db.deleteFrom('attempt').where('key', '=', keyOf(policy, subject)).execute()
    },

    /** Removes a successful attempt from its window. */
    async forgive(policy: WindowPolicy, subject: string): Promise<void> {
      await subtract(policy, subject)
      const site = siteOf(subject)
      if (site !== undefined) await subtract(policy, site)
    },
  }
}

/** No window is longer. In seconds. */
const longestWindow = 3600

/** Deletes windows that have ended: the next attempt begins a new one. */
export async function sweepWindows(db: Kysely<Database>): Promise<void> {
  // A locked row is being counted: waiting for several such rows could deadlock.
  await db
    .deleteFrom('attempt')
    .where('key', 'in', (query) =>
      query
        .selectFrom('attempt')
        .select('key')
        .where(hasEnded(longestWindow))
        .where(
          sql<string>`split_part(key, ':', 1)`,
          'not in',
          escalatingPolicies.map(({ kind }) => kind),
        )
        .forUpdate()
        .skipLocked(),
    )
    .execute()
}

/** Deletes consecutive failures that were not repeated within a month. */
export async function sweepAttempts(db: Kysely<Database>): Promise<void> {
  await db
    .deleteFrom('attempt')
    .where(sql<boolean>`greatest(updated_at, blocked_until) < now() - interval '30 days'`)
    // A locked account that needs a reset keeps its row.
    .where(({ and, or, not, eb }) =>
      not(
        or(
          escalatingPolicies.map(({ kind, most }) =>
            and([eb('key', 'like', `${kind}:%`), eb('failures', '>=', most)]),
          ),
        ),
      ),
    )
    .execute()
}
