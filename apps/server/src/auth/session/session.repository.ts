import { limits } from '@pult/contract'
import DataLoader from 'dataloader'
import { type Kysely, sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import type { Db, OpenDatabase } from '#platform/database/database.ts'
import type { Database } from '#platform/database/schema.ts'
import type { Caller } from '#platform/http/route.ts'

/** A session ends this long after its last use, or after its start, whichever comes first. */
const idleEnd = sql`interval '12 hours'`
const absoluteEnd = sql<Date>`now() + interval '30 days'`

/** How long a replaced token goes on after its successor was first used, for calls that are under way. */
const overlap = sql<Date>`now() + interval '60 seconds'`

/** More tabs than anybody starts at once. */
const unusedMost = 50

/** Of a session `s` and its person `p`. */
const isOpenText = `s.ended_at is null and s.expires_at > now() and s.last_seen_at > now() - interval '12 hours'
  and p.disabled_at is null`
const isOpen = sql.raw(isOpenText)

/**
 * Reads the sessions of so many tokens. Values of their own and not an array: PostgreSQL does not trust its estimate of an
 * array's length and plans anew each time, which takes longer than to find the sessions.
 */
const findByTokens = (count: number) => ({
  name: `sessions_by_token_${count}`,
  text: `
    select asked.place, s.id as "sessionId", s.person_id as "personId",
      s.authenticated_at > now() - interval '${limits.recentSignIn / 1000} seconds' as "isRecent",
      o.enabled_at is not null as "otpEnabled",
      (select json_agg(json_build_object('projectId', g.project_id, 'productRole', g.product_role))
        from project_grant g join project on project.id = g.project_id
        where g.person_id = p.id and split_part(g.product_role, '/', 1) = any(project.products)) as grants,
      p.is_root as "isRoot", p.firstname, p.lastname, e.email,
      t.first_used_at is null as "isFirstUse", t.parent_hash is not null as "replacesAnother",
      s.last_seen_at < now() - interval '1 minute' as "isSeenLongAgo"
    from (
      values ${Array.from({ length: count }, (_, place) => `(${place}, $${place + 1}::bytea)`).join()}
    ) asked (place, token_hash)
    join session_token t on t.token_hash = asked.token_hash
    join session s on s.id = t.session_id
    join person p on p.id = s.person_id
    join email e on e.person_id = p.id and e.is_default
    left join otp o on o.person_id = p.id
    where (t.expires_at is null or t.expires_at > now())
      and (t.first_used_at is not null or t.created_at > now() - interval '1 hour')
      and ${isOpenText}`,
})

/** As many as are read at once; the places of those who do not call at the time ask for nobody. */
const readMost = 8
const findOne = findByTokens(1)
const findSeveral = findByTokens(readMost)

/** A grant whose product the project uses. */
export interface SessionGrant {
  projectId: string
  productRole: string
}

interface SessionRow extends Omit<FoundSession, 'scope'> {
  /** Of its token among those asked for. */
  place: number
  /** Null when there are none. */
  grants: SessionGrant[] | null
}

/**
 * All that a call needs to know of its caller, in one read: it runs before every call, so that a grant which is lost is
 * lost from the next call on. Calls that arrive in the same turn of the event loop share a read.
 */
export function createSessionReader(
  { read }: Pick<OpenDatabase, 'read'>,
  scopeOf: (grants: readonly SessionGrant[]) => string[],
): (tokenHash: Buffer) => Promise<FoundSession | undefined> {
  async function find(tokenHashes: readonly Buffer[]): Promise<(FoundSession | undefined)[]> {
    // Who asks from now on asks anew.
    loader.clearAll()
    const places = tokenHashes.length === 1 ? 1 : readMost
    const rows = await read<SessionRow>(
      places === 1 ? findOne : findSeveral,
      Array.from({ length: places }, (_, place) => tokenHashes[place] ?? null),
    )
    const found = tokenHashes.map((): FoundSession | undefined => undefined)
    for (const { place, grants, ...session } of rows) {
      const scope = grants === null ? [] : scopeOf(grants)
      found[place] = { ...session, scope: session.isRoot ? ['root', ...scope] : scope }
    }
    return found
  }
  const loader = new DataLoader(find, {
    cacheKeyFn: (tokenHash: Buffer) => tokenHash.toString('base64'),
    batchScheduleFn: (dispatch) => void setImmediate(dispatch),
    maxBatchSize: readMost,
  })
  return (tokenHash) => loader.load(tokenHash)
}

export interface SessionOrigin {
  personId: string
  userAgent: string
  address: string
}

export interface FoundSession extends Caller {
  /** The token has not been used before. */
  isFirstUse: boolean
  /** The one before it ends with the first use of this one. */
  replacesAnother: boolean
  /** The last use is long enough ago to be worth a write. */
  isSeenLongAgo: boolean
}

export interface OpenSession {
  id: string
  userAgent: string
  address: string
  createdAt: Date
  lastSeenAt: Date
}

export function createSessionRepository(db: Db) {
  /** A program that reissues in a loop keeps the newest tokens alone. */
  async function dropUnused(sessionId: string): Promise<void> {
    await sql`
      delete from session_token where token_hash in (
        select token_hash from session_token where session_id = ${sessionId} and first_used_at is null
        order by created_at desc offset ${unusedMost}
      )`.execute(db)
  }

  return {
    async add({ personId, userAgent, address }: SessionOrigin, tokenHash: Buffer): Promise<string> {
      const id = uuidv7()
      await sql`
        with opened as (
          insert into session (id, person_id, user_agent, address, expires_at)
          values (${id}, ${personId}, ${userAgent}, ${address}, ${absoluteEnd}) returning id
        )
        insert into session_token (token_hash, session_id) select ${tokenHash}, id from opened`.execute(db)
      return id
    },

    async addSuccessor(sessionId: string, tokenHash: Buffer, parentHash: Buffer): Promise<void> {
      await db
        .insertInto('session_token')
        .values({ token_hash: tokenHash, session_id: sessionId, parent_hash: parentHash })
        .execute()
      await dropUnused(sessionId)
    },

    /** Which of these sessions are still open: one read for all sockets of a node, more than once a second. */
    async findOpen(sessionIds: readonly string[]): Promise<string[]> {
      const { rows } = await sql<{ id: string }>`
        select s.id from session s join person p on p.id = s.person_id
        where s.id = any(${sessionIds}::uuid[]) and ${isOpen}`.execute(db)
      return rows.map(({ id }) => id)
    },

    /** The open sessions of a person, the ones seen last first. */
    async openOf(personId: string): Promise<OpenSession[]> {
      const { rows } = await sql<OpenSession>`
        select s.id, s.user_agent as "userAgent", s.address, s.created_at as "createdAt",
          s.last_seen_at as "lastSeenAt"
        from session s join person p on p.id = s.person_id
        where s.person_id = ${personId} and ${isOpen}
        order by s.last_seen_at desc, s.id desc`.execute(db)
      return rows
    },

    async markFirstUse(tokenHash: Buffer): Promise<void> {
      await sql`
        with used as (
          update session_token set first_used_at = now()
          where token_hash = ${tokenHash} and first_used_at is null returning parent_hash
        )
        update session_token t set expires_at = ${overlap}
        from used where t.token_hash = used.parent_hash and t.expires_at is null`.execute(db)
    },

    async markSeen(sessionId: string): Promise<void> {
      await db.updateTable('session').set({ last_seen_at: sql`now()` }).where('id', '=', sessionId).execute()
    },

    /** Answers the ids of the sessions that were open until now. */
    async end(
      which: { sessionId: string } | { personId: string; exceptSessionId: string | null },
    ): Promise<string[]> {
      const ended = await db
        .updateTable('session')
        .set({ ended_at: sql`now()` })
        .where('ended_at', 'is', null)
        .where((eb) =>
          'sessionId' in which
            ? eb('id', '=', which.sessionId)
            : which.exceptSessionId === null
              ? eb('person_id', '=', which.personId)
              : eb.and([eb('person_id', '=', which.personId), eb('id', '!=', which.exceptSessionId)]),
        )
        .returning('id')
        .execute()
      return ended.map(({ id }) => id)
    },

    /** Whether it was an open session of this person. */
    async endOne({ personId, sessionId }: { personId: string; sessionId: string }): Promise<boolean> {
      const { rows } = await sql`
        update session s set ended_at = now() from person p
        where p.id = s.person_id and s.id = ${sessionId} and s.person_id = ${personId} and ${isOpen}
        returning 1`.execute(db)
      return rows.length > 0
    },
  }
}

/** Sessions whose end is long past; kept until then for the list of recent activity. */
export async function sweepSessions(db: Kysely<Database>): Promise<void> {
  await db
    .deleteFrom('session')
    .where(
      sql<boolean>`greatest(ended_at, least(expires_at, last_seen_at + ${idleEnd})) < now() - interval '30 days'`,
    )
    .execute()
  await db
    .deleteFrom('session_token')
    .where(
      sql<boolean>`expires_at < now() - interval '1 day' or (first_used_at is null and created_at < now() - interval '1 day')`,
    )
    .execute()
}
