import type { AuditRow } from '@pult/sdk/api/root'
import { texts } from './audit.texts.ts'

/** Returns the actor's name. For a deck at an edge it names the deck: any person may have pressed its key. */
export function actorNameOf({ actor, detail }: AuditRow): string {
  if (actor === null) return texts.installation
  const name =
    actor.name === ''
      ? texts.deletedAccount
      : actor.isDeleted === true
        ? texts.deleted(actor.name)
        : actor.name
  const { deck, edge } = detail
  return typeof deck === 'string' && typeof edge === 'string' ? texts.byDeck(deck, edge, name) : name
}

/** The event's target in readable words, if the event has them. */
export function targetOf({ target, detail }: AuditRow): string {
  const named = [detail['about'], detail['label']].find((name) => typeof name === 'string' && name !== '')
  return typeof named === 'string' ? named : (target ?? '')
}
