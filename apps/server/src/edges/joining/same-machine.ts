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
  const [before, now] = own.every(({ ids }) => ids.length > 0) ? own : [known, shown]
  if (before === undefined || now === undefined) return false
  // An earlier release stored all ids alike.
  if (before.cards === undefined || now.cards === undefined) return mostAgree(before.ids, now.ids) === true
  const verdicts = [
    mostAgree(serialsOf(before), serialsOf(now)),
    anyAgrees(cardsOf(before), cardsOf(now)),
  ].filter((verdict) => verdict !== undefined)
  return verdicts.length > 0 && verdicts.every(Boolean)
}

const cardsOf = ({ ids, cards = [] }: Hardware) => ids.filter((id) => cards.includes(id))
const serialsOf = ({ ids, cards = [] }: Hardware) => ids.filter((id) => !cards.includes(id))

const commonOf = (one: readonly string[], other: readonly string[]) =>
  one.filter((id) => other.includes(id)).length

/** Whether more than half of the shorter list is in the other one. Undefined if one is empty. */
const mostAgree = (one: readonly string[], other: readonly string[]): boolean | undefined =>
  one.length === 0 || other.length === 0
    ? undefined
    : commonOf(one, other) * 2 > Math.min(one.length, other.length)

/** Undefined if one list is empty: cards that were taken out prove nothing. */
const anyAgrees = (one: readonly string[], other: readonly string[]): boolean | undefined =>
  one.length === 0 || other.length === 0 ? undefined : commonOf(one, other) > 0
