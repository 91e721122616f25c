import { expect, test } from 'vitest'
import { reachedShare } from './measures.ts'

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
