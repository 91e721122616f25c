import type { EdgeMachine } from '@pult/contract'

type Hardware = Pick<EdgeMachine, 'ids' | 'cards'>

/**
 * Returns whether two descriptions show the same machine. Serial numbers and network cards must both agree, as far as
 * both descriptions have them: boards share placeholders for serial numbers, and adapters move between machines. A
 * doubt is therefore no match, and becomes a question to the users of the edge.
 *
 * `foreign`: ids that other edges show as well. They identify nothing, unless a machine shows nothing else.
 */
export function isSameMachine(known: Hardware, shown: Hardware, foreign: ReadonlySet<string>): boolean {
  const own = [known, shown].map(({ ids, cards }) => ({ cards, ids: ids.filter((id) => !foreign.has(id)) }))
  // The modems in a machine may share one address, which is no more than one agreement.
  const [before, now] = (own.every(({ ids }) => ids.length > 0) ? own : [known, shown]).map(
    ({ ids, cards }) => ({ cards, ids: [...new Set(ids)] }),
  )
  if (before === undefined || now === undefined) return false
  // An earlier release stored all ids alike.
  if (before.cards === undefined || now.cards === undefined) return mostAgree(before.ids, now.ids) === true
  const commonCards = commonOf(cardsOf(before), cardsOf(now))
  const doCardsAgree = mostAgree(cardsOf(before), cardsOf(now))
  const doSerialsAgree = mostAgree(serialsOf(before), serialsOf(now))
  // One card may be a modem whose address all modems of its model have, or an adapter that has moved to the copy.
  if (doSerialsAgree === undefined) return doCardsAgree === true
  // Cards that were taken out prove nothing.
  if (doCardsAgree !== undefined && commonCards.length === 0) return false
  if (doSerialsAgree) return true
  // An update of the firmware can change the byte order of the UUID, which is one of two serial numbers.
  const commonSerials = commonOf(serialsOf(before), serialsOf(now))
  return doCardsAgree === true && commonSerials.some((id) => !foreign.has(id))
}

const cardsOf = ({ ids, cards = [] }: Hardware) => ids.filter((id) => cards.includes(id))
const serialsOf = ({ ids, cards = [] }: Hardware) => ids.filter((id) => !cards.includes(id))

const commonOf = (one: readonly string[], other: readonly string[]) => one.filter((id) => other.includes(id))

/** Whether more than half of the shorter list is in the other one. Undefined if one is empty. */
const mostAgree = (one: readonly string[], other: readonly string[]): boolean | undefined =>
  one.length === 0 || other.length === 0
    ? undefined
    : commonOf(one, other).length * 2 > Math.min(one.length, other.length)
