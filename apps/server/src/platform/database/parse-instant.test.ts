import fc from 'fast-check'
import pg from 'pg'
import { expect, test } from 'vitest'
import { isoInstantOf, parseInstant } from './parse-instant.ts'

/** Read before another parser replaces it. */
const parseAny = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ)

test('an instant of any year, with or without a fraction, equals the driver’s result, as a date and as text', () => {
  const years = { min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z') }
  const fraction = fc.stringMatching(/^(?:\.\d{1,6})?$/)
  fc.assert(
    fc.property(fc.date({ ...years, noInvalidDate: true }), fraction, (date, digits) => {
      const text = `${date.toISOString().slice(0, 19).replace('T', ' ')}${digits}+00`
      expect(parseInstant(text)).toEqual(parseAny(text))
      expect(isoInstantOf(text)).toBe(parseAny(text).toISOString())
    }),
  )
})

test.each([
  'infinity',
  '-infinity',
  '0044-03-15 12:00:00+00 BC',
  '12026-11-22 15:41:00+00',
  '2026-11-22 15:41:00+05:30',
  '2026-11-22 15:41:00.5-03',
])('%s is passed to the driver', (text) => {
  expect(parseInstant(text)).toEqual(parseAny(text))
  expect(String(parseInstant(text))).not.toBe('Invalid Date')
})
