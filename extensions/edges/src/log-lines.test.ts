import { expect, test } from 'vitest'
import { emptyLog, filtered, firstOf, hasEarlier, withEarlier, withNewest } from './log-lines.ts'

const lines = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `2026-01-31T09:12:04.120Z line ${from + index}`)
const answer = (from: number, to: number) => ({ first: from, lines: lines(from, to), oldest: 1 })
const texts = (rows: ReturnType<typeof filtered>) =>
  rows.map((row) => ('skipped' in row ? row.skipped : row.text))

test('new lines are appended, skipped ones are a gap, and a restarted log replaces the previous one', () => {
  const first = withNewest(emptyLog, answer(10, 11))
  expect(first.rows[0]).toEqual({ number: 10, at: '2026-01-31T09:12:04.120Z', text: 'line 10' })
  const next = withNewest(first, answer(15, 16))
  expect(texts(next.rows)).toEqual(['line 10', 'line 11', 3, 'line 15', 'line 16'])
  expect(withNewest(next, { first: 17, lines: [], oldest: 1 })).toEqual(next)
  expect(texts(withNewest(next, answer(1, 2)).rows)).toEqual(['line 1', 'line 2'])
})

test('earlier lines are inserted before the first one, and a filter keeps the gaps', () => {
  const view = withEarlier(withNewest(withNewest(emptyLog, answer(10, 11)), answer(13, 13)), answer(8, 9))
  expect(firstOf(view)).toBe(8)
  expect(texts(filtered(view.rows, ' LINE 1'))).toEqual(['line 10', 'line 11', 1, 'line 13'])
  expect(filtered(view.rows, ' ')).toBe(view.rows)
})

test('a page keeps a bounded number of lines', () => {
  let view = emptyLog
  for (let from = 1; from < 20_000; from += 1000) view = withNewest(view, answer(from, from + 999))
  expect(view.rows).toHaveLength(5000)
  expect(view.last).toBe(20_000)
  expect(hasEarlier(view)).toBe(false)
  expect(hasEarlier(withNewest(emptyLog, answer(10, 11)))).toBe(true)
  expect(hasEarlier(withNewest(emptyLog, answer(1, 11)))).toBe(false)
})
