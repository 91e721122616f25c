import { type RawBuilder, sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import type { Db } from '#platform/database/database.ts'

/** What happened to whom, as operators read it later. `room.verb`, in the past tense's order of things. */
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
  | 'note.created'
  | 'note.changed'
  | 'note.removed'
  | 'notes.removed'
  | 'task.aborted'
  | 'task.archived'
  | 'task-token.created'
  | 'task-token.revoked'
  | 'medium.created'
  | 'medium.changed'
  | 'medium.removed'
  | 'media.removed'
  | 'project.exported'
  | 'project.imported'
  | 'extension.enabled'
  | 'extension.disabled'
  | 'extension.installed'
  | 'extension.removed'
  | 'extension.backend-changed'
  | 'edge.created'
  | 'edge.changed'
  | 'edge.code-made'
  | 'edge.enrolled'
  | 'edge.revoked'
  | 'edge.removed'
  | 'edge.restarted'
  | 'edge.diagnosed'
  | 'link.redeemed'
  | 'deck-key.pressed'

export interface AuditRow {
  event: AuditEvent
  result: 'success' | 'failure'
  actorId?: string
  /** Whose or what was acted on: for events of an account the person's id. Never a secret. */
  target?: string
  projectId?: string
  address?: string
  /** `about` is shown to the person: an address, a passkey's label. */
  detail?: Record<string, unknown>
}

/** A row as the person it concerns may see it. */
export interface ActivityRow {
  id: string
  at: Date
  event: string
  result: 'success' | 'failure'
  address: string | null
  about: string | null
}

/** Events that concern an account, by the part before the dot; others, of projects and the like, are not shown. */
const accountRooms = ['login', 'session', 'sessions', 'profile', 'password', 'email', 'passkey', 'otp']

const concernsAccount = sql`(split_part(event, '.', 1) = any(${accountRooms}) or event = 'invitation.redeemed')`

const isActor = (personId: string) => sql`actor_id = ${personId}::uuid`
const isTarget = (personId: string) => sql`target = ${personId}`

/**
 * Adds a row for each one of a statement's other part: for a change that is one statement, and so its own transaction.
 */
export const recordForEach = (of: RawBuilder<unknown>, row: AuditRow): RawBuilder<unknown> => sql`
  insert into audit (id, event, result, actor_id, target, project_id, address, detail)
  select ${uuidv7()}::uuid, ${row.event}, ${row.result}, ${row.actorId ?? null}::uuid, ${row.target ?? null},
    ${row.projectId ?? null}::uuid, ${row.address ?? null}, ${JSON.stringify(row.detail ?? {})}::jsonb
  from ${of}`

export function createAuditRepository(db: Db) {
  /** The newest rows of one index, of which no more are read than can be part of the page. */
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
    async add(row: AuditRow): Promise<void> {
      await db
        .insertInto('audit')
        .values({
          id: uuidv7(),
          event: row.event,
          result: row.result,
          actor_id: row.actorId ?? null,
          target: row.target ?? null,
          project_id: row.projectId ?? null,
          address: row.address ?? null,
          detail: JSON.stringify(row.detail ?? {}),
        })
        .execute()
    },

    /** What a person did or what was done to their account, the newest first; older than `after`, if it is one of these. */
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

    /** How many there are, counted up to `most`. */
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
