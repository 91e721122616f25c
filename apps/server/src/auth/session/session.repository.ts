import { limits } from '@pult/contract'
import DataLoader from 'dataloader'
import { type Kysely, sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import type { Db, OpenDatabase } from '#platform/database/database.ts'
import { deleteInBatches } from '#platform/database/delete-in-batches.ts'
import { asWork, signInWork, workKind } from '#platform/database/pool-shares.ts'
import { keptFor } from '#platform/database/retention.ts'
import type { Database } from '#platform/database/schema.ts'
import type { Caller } from '#platform/http/route.ts'
import { hashToken } from '#platform/secrets.ts'

/** A session ends this long after its last use, or after its start, whichever comes first. */
const idleEnd = sql`interval '12 hours'`
const absoluteEnd = sql<Date>`now() + interval '30 days'`

/** A replaced token stays valid for this long after the first use of its successor, for calls in flight. */
const overlapTime = sql`interval '60 seconds'`
const overlap = sql<Date>`now() + ${overlapTime}`

/** Maximum number of unused tokens of a session: more than the tabs that a browser opens at a time. */
const unusedMost = 50

/**
 * Conditions on a session `s` and its person `p`. A session that begins in the future was made while the clock was ahead,
 * and would last longer by that time. A correction by less than a day signs no user out.
 */
const isOpenText = `s.ended_at is null and s.expires_at > now() and s.last_seen_at > now() - interval '12 hours'
  and s.created_at < now() + interval '1 day' and p.disabled_at is null`
const isOpen = sql.raw(isOpenText)

/**
 * Reads the sessions of `count` tokens. A sign-in in the future is not recent: the clock of the database was ahead. The
 * tokens are separate parameters rather than an array: PostgreSQL does not trust its estimate of an array's length and
 * plans the query again each time, which takes longer than the query itself.
 */
const findByTokens = (count: number) => ({
  name: `sessions_by_token_${count}`,
  text: `
    select asked.place, s.id as "sessionId", s.person_id as "personId",
      (s.authenticated_at > now() - interval '${limits.recentSignIn / 1000} seconds'
        and s.authenticated_at < now() + interval '1 minute') as "isRecent",
      o.enabled_at is not null as "otpEnabled",
      (select json_agg(json_build_object('projectId', g.project_id, 'productRole', g.product_role))
        from project_grant g join project on project.id = g.project_id
        where g.person_id = p.id and split_part(g.product_role, '/', 1) = any(project.products)) as grants,
      p.is_root as "isRoot", p.firstname, p.lastname, e.email,
      t.first_used_at is null as "isFirstUse", t.parent_hash is not null as "replacesAnother",
      s.last_seen_at not between now() - interval '1 minute' and now() + interval '5 seconds' as "isLastSeenStale"
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

/** Maximum number of tokens per batch; unused places are null. */
const readMost = 8
const findOne = findByTokens(1)
const findSeveral = findByTokens(readMost)

/** A grant of a product that the project uses. */
export interface SessionGrant {
  projectId: string
  productRole: string
}

interface SessionRow extends Omit<FoundSession, 'scope'> {
  /** The index of the row's token in the request. */
  place: number
  /** Null if the user has no grants. */
  grants: SessionGrant[] | null
}

/**
 * Reads all data of a caller in one query. It runs before every call, so that a lost grant takes effect on the next
 * call. Calls in one turn of the event loop share a query, except that sign-in and `/me` wait for no others.
 */
export function createSessionReader(
  { read }: Pick<OpenDatabase, 'read'>,
  scopeOf: (grants: readonly SessionGrant[]) => string[],
): (tokenHash: Buffer) => Promise<FoundSession | undefined> {
  async function find(tokenHashes: readonly Buffer[]): Promise<(FoundSession | undefined)[]> {
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

  function loaderFor(kind: string) {
    const loader: DataLoader<Buffer, FoundSession | undefined, string> = new DataLoader(
      (tokenHashes) => {
        // Calls that arrive from now on need a new read.
        loader.clearAll()
        return asWork(kind, () => find(tokenHashes))
      },
      {
        cacheKeyFn: (tokenHash) => tokenHash.toString('base64'),
        batchScheduleFn: (dispatch) => void setImmediate(dispatch),
        maxBatchSize: readMost,
      },
    )
    return loader
  }
  const loaders = { ofSignIn: loaderFor(signInWork), ofOthers: loaderFor('sessions') }
  return (tokenHash) => (workKind() === signInWork ? loaders.ofSignIn : loaders.ofOthers).load(tokenHash)
}

export interface SessionOrigin {
  personId: string
  userAgent: string
  address: string
  /** Registers the browser as a known device of the person. */
  device?: string | undefined
}

export interface FoundSession extends Caller {
  /** The token is used for the first time. */
  isFirstUse: boolean
  /** The first use of this token ends the one it replaces. */
  replacesAnother: boolean
  /** The stored time of the last use is more than a minute old and must be updated. */
  isLastSeenStale: boolean
}

export interface OpenSession {
  id: string
  userAgent: string
  address: string
  createdAt: Date
  lastSeenAt: Date
}

export function createSessionRepository(db: Db) {
  /** Keeps only the newest unused tokens of a session, in case a program reissues in a loop. */
  async function dropUnused(sessionId: string): Promise<void> {
    await sql`
      delete from session_token where token_hash in (
        select token_hash from session_token where session_id = ${sessionId} and first_used_at is null
        order by created_at desc offset ${unusedMost}
      )`.execute(db)
  }

  return {
    /**
     * Opens a session. A browser has one session per person, so the new session ends the one that it replaces: its
     * token may have been stolen.
     */
    async add({ personId, userAgent, address, device }: SessionOrigin, tokenHash: Buffer): Promise<string> {
      const id = uuidv7()
      const deviceHash = device === undefined ? null : hashToken(device)
      await sql`
        with replaced as (
          update session set ended_at = now()
          where person_id = ${personId} and device_hash = ${deviceHash} and ended_at is null
        ), remembered as (
          insert into known_device (person_id, secret_hash)
          select ${personId}::uuid, secret from (values (${deviceHash}::bytea)) given (secret)
          where secret is not null
          on conflict (person_id, secret_hash) do update set last_used_at = now()
        ), opened as (
          insert into session (id, person_id, user_agent, address, device_hash, expires_at)
          values (${id}, ${personId}, ${userAgent}, ${address}, ${deviceHash}, ${absoluteEnd}) returning id
        )
        insert into session_token (token_hash, session_id) select ${tokenHash}, id from opened`.execute(db)
      return id
    },

    /**
     * Adds a successor of a token. A successor within an ended chain expires with the chain. A token that another
     * successor has replaced is no such chain, unless that successor was first used after the chain had ended.
     */
    async addSuccessor(sessionId: string, tokenHash: Buffer, parentHash: Buffer): Promise<void> {
      await sql`
        insert into session_token (token_hash, session_id, parent_hash, expires_at)
        select ${tokenHash}, ${sessionId}, ${parentHash}, case when not exists (
          select from session_token child where child.parent_hash = parent.token_hash
            and child.session_id = parent.session_id and child.first_used_at is not null
            and (child.expires_at is null or child.first_used_at < child.expires_at - ${overlapTime})
        ) then parent.expires_at end
        from session_token parent where parent.token_hash = ${parentHash}`.execute(db)
      await dropUnused(sessionId)
    },

    /** Returns those of the sessions that are open. Runs more than once a second, for all sockets of a node. */
    async findOpen(sessionIds: readonly string[]): Promise<string[]> {
      const { rows } = await sql<{ id: string }>`
        select s.id from session s join person p on p.id = s.person_id
        where s.id = any(${sessionIds}::uuid[]) and ${isOpen}`.execute(db)
      return rows.map(({ id }) => id)
    },

    /** Returns the open sessions of a person, most recently used first. */
    async openOf(personId: string): Promise<OpenSession[]> {
      const { rows } = await sql<OpenSession>`
        select s.id, s.user_agent as "userAgent", s.address, s.created_at as "createdAt",
          s.last_seen_at as "lastSeenAt"
        from session s join person p on p.id = s.person_id
        where s.person_id = ${personId} and ${isOpen}
        order by s.last_seen_at desc, s.id desc`.execute(db)
      return rows
    },

    /**
     * The first use of a token ends all other tokens of its session after the overlap, except those from the same
     * reissue. Of two chains from one token, the first that is reissued and used therefore ends the other. A token of
     * an ended chain ends nothing.
     */
    async markFirstUse(tokenHash: Buffer): Promise<void> {
      await sql`
        with used as (
          update session_token set first_used_at = now()
          where token_hash = ${tokenHash} and first_used_at is null
          returning token_hash, session_id, parent_hash, expires_at
        )
        update session_token t set expires_at = ${overlap}
        from used where used.parent_hash is not null and used.expires_at is null and t.session_id = used.session_id
          and t.token_hash <> used.token_hash and t.parent_hash is distinct from used.parent_hash
          and t.expires_at is null`.execute(db)
    },

    async markSeen(sessionId: string): Promise<void> {
      await db.updateTable('session').set({ last_seen_at: sql`now()` }).where('id', '=', sessionId).execute()
    },

    /** Returns the ids of the sessions that were open. */
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

    /** Returns whether it was an open session of this person. */
    async endOne({ personId, sessionId }: { personId: string; sessionId: string }): Promise<boolean> {
      const { rows } = await sql`
        update session s set ended_at = now() from person p
        where p.id = s.person_id and s.id = ${sessionId} and s.person_id = ${personId} and ${isOpen}
        returning 1`.execute(db)
      return rows.length > 0
    },
  }
}

/** Deletes sessions past their retention. Until then the list of recent activity shows them. */
export async function sweepSessions(db: Kysely<Database>): Promise<void> {
  await deleteInBatches(
    db,
    'session',
    sql`greatest(ended_at, least(expires_at, last_seen_at + ${idleEnd})) < now() - ${keptFor('sessions')}`,
  )
  await deleteInBatches(
    db,
    'session_token',
    sql`expires_at < now() - interval '1 day'
      or (first_used_at is null and created_at < now() - interval '1 day')`,
  )
}
