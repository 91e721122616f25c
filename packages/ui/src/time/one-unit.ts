const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** The symbols are the same in all languages. */
const amount = (count: number, unit: 's' | 'min' | 'h' | 'd') => `${Math.floor(count)}\u202F${unit}`

/** Formats a duration in one unit: `12 s`, `41 min`, `33 h`, from two days `2 d`. */
export function inOneUnit(milliseconds: number): string {
  if (milliseconds < minute) return amount(milliseconds / 1000, 's')
  if (milliseconds < hour) return amount(milliseconds / minute, 'min')
  if (milliseconds < 2 * day) return amount(milliseconds / hour, 'h')
  return amount(milliseconds / day, 'd')
}
