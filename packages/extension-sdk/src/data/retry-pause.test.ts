import { expect, test } from 'vitest'
import { readEvery, retryPause } from './retry-pause.ts'

const failed = { errorUpdateCount: 1 }

test('a failed read is retried after 5 s, and the pause doubles up to a minute', () => {
  const counts = [1, 2, 3, 4, 5, 50]
  const times = { dataUpdatedAt: 0, errorUpdatedAt: 9 }
  expect(counts.map((errorUpdateCount) => retryPause({ ...times, errorUpdateCount }, 30_000))).toEqual([
    5000, 10_000, 20_000, 40_000, 60_000, 60_000,
  ])
})

test('after a response the pause starts again and grows with the time since the next read was due', () => {
  const dataUpdatedAt = 1_000_000
  const pauseAfter = (late: number, usual: number | false) =>
    retryPause(
      { dataUpdatedAt, errorUpdatedAt: dataUpdatedAt + (usual || 0) + late, errorUpdateCount: 99 },
      usual,
    )
  expect([0, 3000, 8000, 20_000, 300_000].map((late) => pauseAfter(late, 30_000))).toEqual([
    5000, 5000, 8000, 20_000, 60_000,
  ])
  expect(pauseAfter(12_000, false)).toBe(12_000)
})

test('a read that succeeds keeps its usual pause', () => {
  const state = { ...failed, dataUpdatedAt: 0, errorUpdatedAt: 9 }
  expect(readEvery(15_000)({ state: { ...state, status: 'success' } })).toBe(15_000)
  expect(readEvery(15_000)({ state: { ...state, status: 'error' } })).toBe(5000)
  expect(readEvery(false)({ state: { ...state, status: 'success' } })).toBe(false)
})
