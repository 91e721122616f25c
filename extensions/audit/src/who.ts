import type { AuditRow } from '@pult/sdk/api'
import { texts } from './audit.texts.ts'

/** Who did it, in words. */
export function whoOf({ actor }: AuditRow): string {
  if (actor === null) return texts.installation
  return actor.name === '' ? texts.somebodyGone : actor.name
}

/** What it was done to, in the words that people know where the event has some. */
export function targetOf({ target, detail }: AuditRow): string {
  return typeof detail['about'] === 'string' ? detail['about'] : (target ?? '')
}
