import { uuidv7 } from 'uuidv7'
import type { Db } from '#platform/database/database.ts'

/** What happened to whom, as operators read it later. `room.verb`, in the past tense's order of things. */
export type AuditEvent =
  | 'login.password'
  | 'session.ended'
  | 'invitation.created'
  | 'invitation.redeemed'
  | 'link.redeemed'

export interface AuditRow {
  event: AuditEvent
  result: 'success' | 'failure'
  actorId?: string
  /** The id or address of what was acted on. Never a secret. */
  target?: string
  projectId?: string
  address?: string
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
