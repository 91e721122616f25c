import { expect, test } from 'vitest'
import { createRecentLines } from './recent-lines.ts'

const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}`)

test('lines that follow are added, and all other lines replace the cached ones', () => {
  const recent = createRecentLines(0)
  recent.add({ first: 1, lines: numbered(1, 5), oldest: 1 })
  recent.add({ first: 6, lines: numbered(6, 8), oldest: 1 })
  expect(recent.after(4)).toEqual({ first: 5, lines: numbered(5, 8), oldest: 1 })
  expect(recent.after(8)).toEqual({ first: 9, lines: [], oldest: 1 })
  recent.add({ first: 100, lines: numbered(100, 102), oldest: 1 })
  expect(recent.after(8)).toEqual({ first: 100, lines: numbered(100, 102), oldest: 1 })
  // The edge numbers its lines from 1 again.
  recent.add({ first: 1, lines: numbered(1, 2), oldest: 1 })
  expect(recent.after(102)).toEqual({ first: 1, lines: numbered(1, 2), oldest: 1 })
})

test('the characters and lines of one log are bounded', () => {
  const recent = createRecentLines(0)
  for (let first = 1; first < 100_000; first += 1000)
    recent.add({ first, lines: numbered(first, first + 999), oldest: 1 })
  expect(recent.after(0).lines.length).toBeLessThanOrEqual(4000)
  expect(recent.last()).toBe(100_000)
  for (let first = 100_001; first < 101_000; first += 100)
    recent.add({ first, lines: Array.from({ length: 100 }, () => 'x'.repeat(2100)), oldest: 1 })
  expect(recent.after(0).lines.join('').length).toBeLessThanOrEqual(200_000)
  expect(recent.last()).toBe(101_000)
})
