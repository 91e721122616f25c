import type { AuditRow } from '@pult/sdk/api/root'
import { texts } from './audit.texts.ts'

/** Returns the actor's name. */
export function actorNameOf({ actor }: AuditRow): string {
  if (actor === null) return texts.installation
  return actor.name === '' ? texts.deletedAccount : actor.name
}

/** The event's target in readable words, if the event has them. */
export function targetOf({ target, detail }: AuditRow): string {
  return typeof detail['about'] === 'string' ? detail['about'] : (target ?? '')
}
