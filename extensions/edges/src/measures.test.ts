import { expect, test } from 'vitest'
import { digitsOf, reachedShare } from './measures.ts'

test.each([
  ['no outage', [], 1],
  ['an outage within the range', [{ from: 10, to: 20 }], 0.9],
  [
    'outages that begin before the range or end after it',
    [
      { from: -50, to: 5 },
      { from: 80, to: 130 },
    ],
    0.75,
  ],
  ['an outage outside of the range', [{ from: -20, to: -10 }], 1],
  ['one outage all the time', [{ from: -20, to: 200 }], 0],
])('an edge with %s was reachable for the rest of the time', (_what, away, share) => {
  expect(reachedShare({ from: 0, to: 100 }, away)).toBeCloseTo(share)
})

test('a new edge was reachable all the time', () => {
  expect(reachedShare({ from: 100, to: 100 }, [])).toBe(1)
})

test.each([
  [0.25, '0.25'],
  [0.05, '0.05'],
  [1.26, '1.3'],
  [1052.34, '1,052.3'],
  [0, '0'],
])('measure-sh/measure#932 a value of %d is written as %s', (value, text) => {
  expect(value.toLocaleString('en-GB', digitsOf(value))).toBe(text)
})
