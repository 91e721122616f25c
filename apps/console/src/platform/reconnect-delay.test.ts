import { expect, test } from 'vitest'
import { reconnectDelay } from './reconnect-delay.ts'

test('WS-01 the delays between attempts double up to half a minute', () => {
  const longest = [0, 1, 2, 3, 6, 7, 100].map((attempt) => reconnectDelay(attempt, () => 1))
  expect(longest).toEqual([500, 1000, 2000, 4000, 30_000, 30_000, 30_000])
})

test('WS-01 consoles that lost the server together reconnect spread over half of the delay', () => {
  expect(reconnectDelay(3, () => 0)).toBe(2000)
  expect(reconnectDelay(3, () => 0.5)).toBe(3000)
})
