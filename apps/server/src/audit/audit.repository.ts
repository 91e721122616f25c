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
  | 'otp.codes-renewed'
  | 'otp.recovery-requested'
  | 'otp.recovered'
  | 'invitation.created'
  | 'invitation.redeemed'
  | 'link.redeemed'

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

export function createAuditRepository(db: Db) {
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
  }
}
