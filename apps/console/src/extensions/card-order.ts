import type { HomeCardsOrder } from '@pult/contract'

/** Returns the items in the user's order. New ones come last. */
export function inUserOrder<Item extends { key: string }>(
  items: readonly Item[],
  { order }: HomeCardsOrder,
): Item[] {
  const placeIn = ({ key }: Item) => (order.includes(key) ? order.indexOf(key) : order.length)
  return items.toSorted((a, b) => placeIn(a) - placeIn(b))
}

/** The order after one of the `shown` cards has moved. Cards of other projects keep their order. */
export function withMoved(
  arranged: HomeCardsOrder,
  shown: readonly string[],
  { from, to }: { from: number; to: number },
): HomeCardsOrder {
  const order = [...shown]
  order.splice(to, 0, ...order.splice(from, 1))
  return { ...arranged, order: [...order, ...arranged.order.filter((key) => !shown.includes(key))] }
}
