import { type RawBuilder, sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import type { Db } from '#platform/database/database.ts'
import { requestContext } from '#platform/request-context.ts'
import { boundedDetail } from './bounded-detail.ts'

/** Names of security events: `room.verb`, with the verb in the past tense. */
export type AuditEvent =
  | 'login.password'
  | 'login.otp'
  | 'login.passkey'
  | 'login.confirmed'
  | 'session.ended'
  | 'sessions.ended'
  | 'profile.changed'
  | 'password.changed'
  | 'password.reset-requested'
  | 'password.reset'
  | 'password.locked'
  | 'password.unlocked'
  | 'email.added'
  | 'email.verified'
  | 'email.removed'
  | 'email.default-changed'
  | 'passkey.added'
  | 'passkey.removed'
  | 'passkey.suspicious'
  | 'otp.enabled'
  | 'otp.disabled'
  | 'otp.reset'
  | 'otp.codes-renewed'
  | 'otp.recovery-requested'
  | 'otp.recovered'
  | 'person.promoted'
  | 'person.demoted'
  | 'person.disabled'
  | 'person.enabled'
  | 'person.removed'
  | 'invitation.created'
  | 'invitation.redeemed'
  | 'invitation.revoked'
  | 'organisation.created'
  | 'organisation.changed'
  | 'organisation.removed'
  | 'membership.added'
  | 'membership.removed'
  | 'project.created'
  | 'project.changed'
  | 'project.removed'
  | 'grant.added'
  | 'grant.changed'
  | 'grant.removed'
  | 'access.requested'
  | 'access.declined'
  | 'note.created'
  | 'note.changed'
  | 'note.removed'
  | 'note.restored'
  | 'notes.removed'
  | 'task.aborted'
  | 'task.retried'
  | 'task.archived'
  | 'task.restored'
  | 'task-token.created'
  | 'task-token.revoked'
  | 'medium.created'
  | 'medium.changed'
  | 'medium.removed'
  | 'medium.restored'
  | 'media.removed'
  | 'project.exported'
  | 'project.imported'
  | 'extension.enabled'
  | 'extension.disabled'
  | 'extension.installed'
  | 'extension.removed'
  | 'extension.backend-changed'
  | 'extension.settings-changed'
  | 'edge.created'
  | 'edge.changed'
  | 'edge.code-made'
  | 'edge.enrolled'
  | 'edge.revoked'
  | 'edge.moved'
  | 'edge.removed'
  | 'edge.restarted'
  | 'edge.program-started'
  | 'edge.program-stopped'
  | 'edge.diagnosed'
  | 'edge.key-rotated'
  | 'edge.update-ordered'
  | 'edge.update-policy-changed'
  | 'edge.requested'
  | 'edge.approved'
  | 'edge.refused'
  | 'edge.copy-found'
  | 'edge.copy-accepted'
  | 'edge.copy-refused'
  | 'edge-key.created'
  | 'edge-key.revoked'
  | 'edge-group.created'
  | 'edge-group.changed'
  | 'edge-group.removed'
  | 'edge-job.started'
  | 'edge-job.stopped'
  | 'edge-schedule.created'
  | 'edge-schedule.changed'
  | 'edge-schedule.removed'
  | 'edge-schedule.missed'
  | 'mail.tested'
  | 'audit.archived'
  | 'retention.changed'
  | 'backup.started'
  | 'installation.put-into-service'
  | 'backup.made'
  | 'backup.proven'
  | 'link.redeemed'
  | 'deck-key.pressed'

export interface AuditRow {
  /** Set if the insert may be repeated, so that the row is added once. */
  id?: string
  event: AuditEvent
  result: 'success' | 'failure'
  actorId?: string
  /** The id of the affected record; for account events the id of the person. Never a secret. */
  target?: string
  projectId?: string
  address?: string
  /** `about` is shown to the person: an address, a passkey's label. */
  detail?: Record<string, unknown>
}

/** A row in the form that its person may see. */
export interface ActivityRow {
  id: string
  at: Date
  event: string
  result: 'success' | 'failure'
  address: string | null
  about: string | null
}

/**
 * Events that concern an account, by the prefix before the dot. Other events, such as those of projects, are not
 * shown.
 */
const accountRooms = ['login', 'session', 'sessions', 'profile', 'password', 'email', 'passkey', 'otp']

const concernsAccount = sql`(split_part(event, '.', 1) = any(${accountRooms}) or event = 'invitation.redeemed')`

const isActor = (personId: string) => sql`actor_id = ${personId}::uuid`
const isTarget = (personId: string) => sql`target = ${personId}`

/** With the deck that acts in the name of the actor: any person in front of it may have pressed its key. */
const detailOf = ({ detail }: AuditRow) => boundedDetail({ ...detail, ...requestContext()?.deck })

/** Adds one row per row of another part of the statement, so that a change of one statement needs no transaction. */
export const recordForEach = (of: RawBuilder<unknown>, row: AuditRow): RawBuilder<unknown> => sql`
  insert into audit (id, event, result, actor_id, target, project_id, address, detail)
  select ${uuidv7()}::uuid, ${row.event}, ${row.result}, ${row.actorId ?? null}::uuid, ${row.target ?? null},
    ${row.projectId ?? null}::uuid, ${row.address ?? null}, ${detailOf(row)}::jsonb
  from ${of}`

export function createAuditRepository(db: Db) {
  /** Reads the newest rows from one index, at most as many as fit on the page. */
  const newest = (
    whose: RawBuilder<unknown>,
    { before, most }: { before: RawBuilder<unknown>; most: number },
  ) => sql`(
    select id, at, event, result, address,
      case when jsonb_typeof(detail -> 'about') = 'string' then detail ->> 'about' end as about
    from audit where ${whose} and ${concernsAccount} and ${before}
    order by at desc, id desc limit ${most}
  )`

  return {
    /** Adds rows in one statement, except those that an earlier attempt has added. */
    async add(...added: readonly AuditRow[]): Promise<void> {
      if (added.length === 0) return
      await sql`
        insert into audit (id, event, result, actor_id, target, project_id, address, detail)
        select unnest(${added.map(({ id = uuidv7() }) => id)}::uuid[]), unnest(${added.map(({ event }) => event)}::text[]),
          unnest(${added.map(({ result }) => result)}::text[]),
          unnest(${added.map(({ actorId }) => actorId ?? null)}::uuid[]),
          unnest(${added.map(({ target }) => target ?? null)}::text[]),
          unnest(${added.map(({ projectId }) => projectId ?? null)}::uuid[]),
          unnest(${added.map(({ address }) => address ?? null)}::text[]),
          unnest(${added.map(detailOf)}::jsonb[])
        on conflict (id) do nothing`.execute(db)
    },

    /**
     * Returns actions by a person and on their account, newest first. `after` is the last row of the previous page
     * and must be one of them.
     */
    async activityOf(
      personId: string,
      { after, most }: { after: string | undefined; most: number },
    ): Promise<ActivityRow[]> {
      const before =
        after === undefined
          ? sql`true`
          : sql`(at, id) < (
              select at, id from audit
              where id = ${after} and (${isActor(personId)} or ${isTarget(personId)}) and ${concernsAccount}
            )`
      const { rows } = await sql<ActivityRow>`
        ${newest(isActor(personId), { before, most })} union ${newest(isTarget(personId), { before, most })}
        order by at desc, id desc limit ${most}`.execute(db)
      return rows
    },

    /** Counts the rows up to `most`. */
    async countActivityOf(personId: string, most: number): Promise<number> {
      const { rows } = await sql<{ count: number }>`
        select count(*) from (
          select 1 from audit
          where (${isActor(personId)} or ${isTarget(personId)}) and ${concernsAccount}
          limit ${most}
        ) counted`.execute(db)
      return rows[0]?.count ?? 0
    },
  }
}
