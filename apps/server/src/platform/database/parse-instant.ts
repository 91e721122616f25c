import pg from 'pg'

/** The driver's parser, which supports all forms: infinity, years BC and other offsets. */
const parseAny = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ) as (text: string) => Date | number

/**
 * Parses PostgreSQL's UTC format, `2026-11-22 15:41:00.123456+00`, to the millisecond. Pages contain hundreds of
 * instants, and the driver's parser takes three times as long.
 */
export function parseInstant(text: string): Date | number {
  if (text[4] !== '-' || text[10] !== ' ' || !text.endsWith('+00')) return parseAny(text)
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2)
  const milliseconds = text[19] === '.' ? Number(text.slice(20, -3).padEnd(3, '0').slice(0, 3)) : 0
  const [month, day] = [twoDigits(text, 5) - 1, twoDigits(text, 8)]
  const [hours, minutes, seconds] = [twoDigits(text, 11), twoDigits(text, 14), twoDigits(text, 17)]
  // `Date.UTC` would read years below 100 as years of the 20th century.
  return year < 100
    ? parseAny(text)
    : new Date(Date.UTC(year, month, day, hours, minutes, seconds, milliseconds))
}

/**
 * Converts the text of an instant to the contract's format: `2026-11-22T15:41:00.123Z`. For lists, which do not
 * calculate with their instants: converting each one to a Date took a third of their time.
 */
export const isoInstantOf = (text: string): string =>
  text.length === 29 && text[10] === ' ' && text.endsWith('+00')
    ? `${text.slice(0, 10)}T${text.slice(11, 23)}Z`
    : new Date(parseInstant(text)).toISOString()

const twoDigits = (text: string, at: number) => (text.charCodeAt(at) - 48) * 10 + text.charCodeAt(at + 1) - 48
