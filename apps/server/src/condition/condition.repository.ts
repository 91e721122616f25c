import { hostname } from 'node:os'
import type { Condition, MailKind } from '@pult/contract'
import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import { orderOf } from '#platform/database/name-order.ts'
import { isLinkOpen } from '../token-links/open-link.ts'
import type { CheckedFacts } from './checks.ts'
import { isAlive } from './heartbeat.ts'
import type { NodeReport } from './node-problems.ts'

type Part<Name extends keyof Condition> = NonNullable<Condition[Name]>

/** Number of projects listed by the size of their files. */
const projectsMost = 5

/** Number of root accounts listed by name. */
const rootsMost = 5

/** Number of listed addresses to which no mail can be delivered. */
const refusedMost = 5

export function createConditionRepository(db: Db) {
  async function row<Row>(query: ReturnType<typeof sql<Row>>): Promise<Row> {
    const [first] = (await query.execute(db)).rows
    if (first === undefined) throw new Error('the query returned no row')
    return first
  }

  return {
    database: () =>
      row<Omit<Part<'database'>, 'isEmbedded' | 'answersIn'>>(sql`
        select split_part(current_setting('server_version'), ' ', 1) as version,
          pg_database_size(current_database()) as size,
          (select count(*) from pg_stat_activity where datname = current_database()) as connections,
          current_setting('max_connections')::int as "connectionsMax"`),

    /** Returns the milliseconds that an empty statement takes. */
    async answersIn(): Promise<number> {
      const startedAt = performance.now()
      await sql`select 1`.execute(db)
      return performance.now() - startedAt
    },

    async files(): Promise<{ size: number; byProject: Part<'files'>['byProject'] }> {
      const { rows } = await sql<{ id: string | null; label: string | null; size: number; total: number }>`
        with used as (
          select project_id, sum(size)::bigint as size from file
          where stored_at is not null and released_at is null group by project_id
        )
        select p.id, p.label, u.size, (select coalesce(sum(size), 0)::bigint from used) as total
        from (select 1) one
        left join (
          select * from used where project_id is not null order by size desc limit ${projectsMost}
        ) u on true
        left join project p on p.id = u.project_id
        order by u.size desc, p.id`.execute(db)
      return {
        size: rows[0]?.total ?? 0,
        byProject: rows.flatMap(({ id, label, size }) =>
          id === null || label === null ? [] : [{ _id: id, label, size }],
        ),
      }
    },

    async mail(): Promise<Omit<Part<'mail'>, 'server'>> {
      const found = await row<{
        sentAt: Date | null
        kind: MailKind | null
        waiting: number
        since: Date | null
        error: string | null
        failed: number
        expiredAt: Date | null
        expiredError: string | null
        refused: number
        addresses: Part<'mail'>['refused']['addresses'] | null
      }>(sql`
        with refused as (
          select distinct on (refused_recipient) refused_recipient as email, given_up_at as at, last_error as answer
          from mail where given_up_at > now() - interval '7 days' and refused_recipient is not null
          order by refused_recipient, given_up_at desc
        )
        select last.sent_at as "sentAt", last.kind, open.waiting, stuck.created_at as since,
          stuck.last_error as error,
          (select count(*) from mail where given_up_at > now() - interval '7 days') as failed,
          expired.given_up_at as "expiredAt", expired.last_error as "expiredError",
          (select count(*) from refused) as refused,
          (select jsonb_agg(jsonb_build_object('email', email, 'at', at, 'answer', answer) order by at desc)
            from (select * from refused order by at desc limit ${refusedMost}) newest) as addresses
        from (
          select count(*) as waiting from mail where sent_at is null and given_up_at is null
        ) open
        left join (
          select sent_at, kind from mail where sent_at is not null order by sent_at desc limit 1
        ) last on true
        left join (
          select created_at, last_error from mail
          where sent_at is null and given_up_at is null and last_error is not null
            -- Many servers defer the first mail of a sender for some minutes.
            and (last_error !~ '^(EENVELOPE|EMESSAGE) (RCPT TO|DATA): 4' or created_at < now() - interval '1 hour')
          order by created_at limit 1
        ) stuck on true
        left join (
          select given_up_at, last_error from mail
          where given_up_at > now() - interval '7 days' and refused_recipient is null
          order by given_up_at desc limit 1
        ) expired on true`)
      const { sentAt, kind, waiting, since, error, failed, expiredAt, expiredError, refused, addresses } =
        found
      return {
        lastSent: sentAt && { at: sentAt.toISOString(), kind },
        waiting,
        trouble: since && { since: since.toISOString(), error: error ?? '' },
        failed,
        expired: expiredAt && { at: expiredAt.toISOString(), error: expiredError ?? '' },
        refused: {
          total: refused,
          addresses: (addresses ?? []).map(({ at, ...one }) => ({ ...one, at: new Date(at).toISOString() })),
        },
      }
    },

    async signIn(): Promise<Part<'signIn'>> {
      const [{ rootsAtRisk, rootsTotal, ...methods }, sessions, refused, invitations] = await Promise.all([
        row<{
          accounts: number
          withPasskey: number
          withOneTimeCode: number
          withPasswordAlone: number
          rootsTotal: number
          rootsAtRisk: Part<'signIn'>['rootsAtRisk']['people'] | null
        }>(sql`
          with account as (
            select p.id, p.is_root, p.firstname || ' ' || p.lastname as name,
              exists (select from passkey k where k.person_id = p.id) as has_passkey,
              coalesce(otp.enabled_at is not null, false) as has_code,
              p.password_hash is not null as has_password
            from person p left join otp on otp.person_id = p.id where p.disabled_at is null
          ), at_risk as (
            select id, name from account where is_root and has_password and not has_passkey and not has_code
          )
          select count(*) filter (where has_passkey) as "withPasskey",
            count(*) filter (where has_code and not has_passkey) as "withOneTimeCode",
            count(*) filter (where has_password and not has_code and not has_passkey) as "withPasswordAlone",
            (select count(*) from at_risk) as "rootsTotal",
            (select jsonb_agg(jsonb_build_object('_id', id, 'name', name) order by ${orderOf(sql`name`)}, id)
              from (select * from at_risk order by ${orderOf(sql`name`)}, id limit ${rootsMost}) first) as "rootsAtRisk",
            (select count(*) from person) as accounts
          from account`),
        row<{ people: number; sessions: number }>(sql`
          select count(distinct person_id) as people, count(*) as sessions
          from session where ended_at is null and expires_at > now()`),
        row<{ refused: number }>(sql`
          select count(*) as refused from audit
          where result = 'failure' and at > now() - interval '24 hours' and event like 'login.%'`),
        row<{ open: number; expiringToday: number }>(sql`
          select count(*) as open,
            count(*) filter (where expires_at < now() + interval '24 hours') as "expiringToday"
          from token_link
          where action = 'invite:registration' and ${isLinkOpen}
            and not coalesce((data ->> 'isFirstRoot')::boolean, false)`),
      ])
      return {
        ...methods,
        ...sessions,
        ...refused,
        invitations,
        rootsAtRisk: { total: rootsTotal, people: rootsAtRisk ?? [] },
      }
    },

    async nodes(): Promise<Part<'nodes'>> {
      const { rows } = await sql<{
        id: string
        name: string
        version: string
        startedAt: Date
        seenAt: Date
        isAlive: boolean
        sockets: number
        edges: number
        memory: number
      }>`
        select id, name, version, started_at as "startedAt", seen_at as "seenAt",
          ${isAlive} as "isAlive", sockets, edges, memory
        from node order by ${orderOf(sql`name`)}, started_at, id limit 100`.execute(db)
      return rows.map(({ id, startedAt, seenAt, ...node }) => ({
        _id: id,
        startedAt: startedAt.toISOString(),
        seenAt: seenAt.toISOString(),
        ...node,
      }))
    },

    /** Returns the problems that the running nodes have written. */
    async reports(): Promise<NodeReport[]> {
      const { rows } = await sql<NodeReport>`
        select id, name, problems from node where ${isAlive} and problems <> '[]'
        order by ${orderOf(sql`name`)}, id limit 100`.execute(db)
      return rows
    },

    /**
     * Returns the number of online edges with an agent of another version, the clocks of this machine and of all nodes,
     * the untrusted proxy that a node has seen last, the original of a copy, and a change of the database's collation.
     */
    async facts(version: string): Promise<{
      outdatedAgents: number
      /** Of this machine. */
      clockOffset: number
      clocks: CheckedFacts['clocks']
      untrustedProxy: Condition['untrustedProxy']
      copyOf: string | null
      collation: CheckedFacts['collation']
    }> {
      const { now, nodes, address, seenAt, outdatedAgents, copyOf, stored, present } = await row<{
        outdatedAgents: number
        copyOf: string | null
        now: number
        nodes: Record<string, number> | null
        address: string | null
        seenAt: Date | null
        stored: string | null
        present: string | null
      }>(sql`
        with alive as (select * from node where ${isAlive})
        select (select count(*) from edge_presence where is_online and version <> ${version}) as "outdatedAgents",
          (select public_url from installation where is_copy) as "copyOf",
          extract(epoch from clock_timestamp())::float8 * 1000 as now,
          (select jsonb_object_agg(name, clock_offset) from alive where clock_offset is not null) as nodes,
          proxy.untrusted_proxy as address, proxy.untrusted_proxy_seen_at as "seenAt",
          own.datcollversion as stored, pg_database_collation_actual_version(own.oid) as present
        from (select oid, datcollversion from pg_database where datname = current_database()) own
        left join (
          select * from alive where untrusted_proxy is not null order by untrusted_proxy_seen_at desc limit 1
        ) proxy on true`)
      const clockOffset = Date.now() - now
      const offsets = { [hostname()]: clockOffset, ...nodes }
      return {
        outdatedAgents,
        copyOf,
        clockOffset,
        clocks: Object.entries(offsets).map(([name, offset]) => ({ name, offset })),
        untrustedProxy:
          address === null || seenAt === null ? null : { address, seenAt: seenAt.toISOString() },
        collation: stored === null || present === null || stored === present ? null : { stored, present },
      }
    },

    async jobs(): Promise<Part<'jobs'>> {
      const [{ oldest, ...jobs }, tasks] = await Promise.all([
        row<{ waiting: number; running: number; failed: number; oldest: Date | null }>(sql`
          select count(*) filter (where state in ('created', 'retry')) as waiting,
            count(*) filter (where state = 'active') as running,
            count(*) filter (where state = 'failed' and completed_on > now() - interval '24 hours') as failed,
            -- A deferred job is due again and again, each time only since the end of its pause.
            min(greatest(created_on, start_after))
              filter (where state in ('created', 'retry') and start_after <= now()) as oldest
          from pgboss.job`),
        row<Part<'jobs'>['tasks']>(sql`
          select count(*) filter (where state = 'queued') as waiting,
            count(*) filter (where state = 'running') as running,
            count(*) filter (where state in ('rejected', 'timed-out')
              and fulfilled_at > now() - interval '24 hours') as failed
          from task where archived_at is null`),
      ])
      return { ...jobs, oldest: oldest && oldest.toISOString(), tasks }
    },
  }
}
export type ConditionRepository = ReturnType<typeof createConditionRepository>
