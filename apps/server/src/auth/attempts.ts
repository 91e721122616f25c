import { type Kysely, type RawBuilder, sql } from 'kysely'
import { AppError } from '#platform/app-error.ts'
import type { Db } from '#platform/database/database.ts'
import type { Database } from '#platform/database/schema.ts'

/** After `free` failures in a row a wait that doubles from `firstWait` to `longestWait` seconds; after `most` none is let in. */
export interface EscalatingPolicy {
  kind: string
  free: number
  firstWait: number
  longestWait: number
  most: number
}

/** At most `most` failures in `seconds`. */
export interface WindowPolicy {
  kind: string
  most: number
  seconds: number
}

/** https://pages.nist.gov/800-63-4/sp800-63b.html 3.2.2: at most 100 consecutive failures, with growing waits. */
export const passwordPolicy: EscalatingPolicy = {
  kind: 'password',
  free: 5,
  firstWait: 30,
  longestWait: 3600,
  most: 100,
}

/** One-time passwords and recovery codes of an account: counted apart, so that neither lends its tries to the other. */
export const secondFactorPolicy: EscalatingPolicy = { ...passwordPolicy, kind: 'second-factor' }

/** Passkeys are not guessed; this bounds the work that one network can cause. Accounts are never locked for them. */
export const passkeyPolicy: WindowPolicy = { kind: 'passkey', most: 100, seconds: 600 }

/** Wide enough for an office behind one address. */
export const networkPolicy: WindowPolicy = { kind: 'network', most: 100, seconds: 600 }

/**
 * Failed logins of all accounts from all networks. One network can cause a fifth of it, and an installation where ten
 * thousand people sign in within ten minutes one in twenty mistyped: above it, many places try at once. It raises an
 * alarm and refuses nobody, or else a stranger could keep everybody out.
 */
export const alarmPolicy: WindowPolicy = { kind: 'alarm', most: 500, seconds: 600 }

/**
 * Counts tries in the database, so that all nodes and restarts share one count. A try is counted before it is made and
 * forgiven when it succeeds: of many at once exactly as many are let in as the policy says, and the count stands
 * whatever becomes of the transaction that the try belongs to. `within` forgets failures in the transaction that does
 * away with what they were about.
 */
export function createAttempts(db: Db) {
  return { ...countIn(db), within: countIn }
}
export type Attempts = ReturnType<typeof createAttempts>

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

  const waitOfBlocked = ({ most }: WindowPolicy, key: string) =>
    waitOf(key).where('failures', '>=', most).where('blocked_until', '>', sql<Date>`now()`).executeTakeFirst()

  /** Looks that are under way, by their keys. */
  const looks = new Map<string, ReturnType<typeof waitOfBlocked>>()

  /** Answers how many there are now in the window, or nothing when it was not to be added. */
  async function addToWindow(
    { seconds }: WindowPolicy,
    key: string,
    condition: RawBuilder<unknown>,
  ): Promise<number | undefined> {
    const { rows } = await sql<{ failures: number }>`
      insert into attempt (key, failures, blocked_until)
        values (${key}, 1, now() + make_interval(secs => ${seconds}::int))
      on conflict (key) do update set
        failures = case when attempt.blocked_until <= now() then 1 else attempt.failures + 1 end,
        blocked_until = case when attempt.blocked_until <= now()
          then now() + make_interval(secs => ${seconds}::int) else attempt.blocked_until end,
        updated_at = now()
      where ${condition}
      returning failures`.execute(db)
    return rows[0]?.failures
  }

  return {
    /** Answers how many failures in a row it would be. */
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
        where attempt.failures < ${policy.most}::int and coalesce(attempt.blocked_until <= now(), true)
        returning failures`.execute(db)
      const [counted] = rows
      if (counted !== undefined) return counted.failures

      const stored = await db
        .selectFrom('attempt')
        .select('failures')
        .where('key', '=', key)
        .executeTakeFirst()
      if (stored !== undefined && stored.failures >= policy.most) throw new AppError('PASSWORD_RESET_NEEDED')
      return refuse(key)
    },

    async admitInWindow(policy: WindowPolicy, subject: string): Promise<void> {
      const key = keyOf(policy, subject)
      const isLetIn = sql`attempt.failures < ${policy.most}::int or attempt.blocked_until <= now()`
      if ((await addToWindow(policy, key, isLetIn)) === undefined) await refuse(key)
    },

    /** Counts what is never refused. Answers whether it is the one that passes the limit, in each window one. */
    async passesLimit(policy: WindowPolicy, subject: string): Promise<boolean> {
      return (await addToWindow(policy, keyOf(policy, subject), sql`true`)) === policy.most + 1
    },

    /**
     * Turns away early who would not be let in; it counts nothing. Hundreds of tries may come from one network at once,
     * most of them in vain: those that come while it is being looked up share the look. Who is let in is decided when
     * the try is counted.
     */
    async refuseBlocked(policy: WindowPolicy, subject: string): Promise<void> {
      const key = keyOf(policy, subject)
      const look = looks.get(key) ?? waitOfBlocked(policy, key).finally(() => looks.delete(key))
      looks.set(key, look)
      const blocked = await look
      if (blocked !== undefined) throw tooMany(blocked)
    },

    /** Of these subjects, those of whom no try would be let in now by one of the policies. */
    async blockedAmong(
      policies: readonly EscalatingPolicy[],
      subjects: readonly string[],
    ): Promise<Set<string>> {
      const asked = policies.flatMap((policy) =>
        subjects.map((subject) => ({ key: keyOf(policy, subject), subject, most: policy.most })),
      )
      const { rows } = await sql<{ key: string }>`
        select key from attempt
        join unnest(${asked.map(({ key }) => key)}::text[], ${asked.map(({ most }) => most)}::int[])
          as asked (key, most) using (key)
        where failures >= most or blocked_until > now()`.execute(db)
      const blocked = new Set(rows.map(({ key }) => key))
      return new Set(asked.flatMap(({ key, subject }) => (blocked.has(key) ? [subject] : [])))
    },

    /** The try was right: failures in a row start again from none. */
    async succeed(policy: EscalatingPolicy, subject: string): Promise<void> {
      await db.deleteFrom('attempt').where('key', '=', keyOf(policy, subject)).execute()
    },

    /** The try was right: it does not count in its window. */
    async forgive(policy: WindowPolicy, subject: string): Promise<void> {
      await db
        .updateTable('attempt')
        .set((eb) => ({ failures: eb('failures', '-', 1) }))
        .where('key', '=', keyOf(policy, subject))
        .where('failures', '>', 0)
        .execute()
    },
  }
}

/** Tries that nobody followed up for a month. */
export async function sweepAttempts(db: Kysely<Database>): Promise<void> {
  const locking = [passwordPolicy, secondFactorPolicy]
  await db
    .deleteFrom('attempt')
    .where(sql<boolean>`greatest(updated_at, blocked_until) < now() - interval '30 days'`)
    // An account that needs a reset goes on needing it.
    .where(({ and, or, not, eb }) =>
      not(
        or(
          locking.map(({ kind, most }) => and([eb('key', 'like', `${kind}:%`), eb('failures', '>=', most)])),
        ),
      ),
    )
    .execute()
}
