import { expect, test } from 'vitest'
import { durationInSeconds } from './duration-in-seconds.ts'

test('TASK-10 a duration is in seconds, until the end or now, and never negative', () => {
  const from = '2026-01-05T09:00:00.000Z'
  expect(durationInSeconds(from, '2026-01-05T09:20:04.400Z', 0)).toBe(1204)
  expect(durationInSeconds(from, null, Date.parse(from) + 12_000)).toBe(12)
  expect(durationInSeconds(from, null, Date.parse(from) - 5000)).toBe(0)
})
