import { expect, test } from 'vitest'
import { areaPath, dotPath, linePath, rangeOf, runsOf, ticksOf } from './chart-path.ts'

const scale = { x: (time: number) => time, y: (value: number) => value }

test('a missing sample and a long pause interrupt the line, and a sample between two gaps is a dot', () => {
  const runs = runsOf([0, 1, 2, 3, 20], [1, 2, null, 4, 5], scale, 10)
  expect(runs).toEqual([
    [
      [0, 1],
      [1, 2],
    ],
    [[3, 4]],
    [[20, 5]],
  ])
  expect(linePath(runs)).toBe('M0 1L1 2')
  expect(dotPath(runs)).toBe('M3 4h.01M20 5h.01')
  expect(areaPath(runs, 9)).toBe('M0 9L0 1L1 2L1 9Z')
})

test('many samples in one pixel keep the lowest and the highest value', () => {
  const times = Array.from({ length: 10_000 }, (_, index) => index / 1000)
  const values = times.map((_, index) => (index === 4321 ? 99 : index === 4567 ? -99 : index % 7))
  const [run = []] = runsOf(times, values, scale)
  expect(run.length).toBeLessThanOrEqual(20)
  expect(Math.max(...run.map(([, y]) => y))).toBe(99)
  expect(Math.min(...run.map(([, y]) => y))).toBe(-99)
})

test('ticks are round values within the bounds', () => {
  expect(ticksOf(0, 100, 4)).toEqual([0, 25, 50, 75, 100])
  expect(ticksOf(3, 18, 3)).toEqual([5, 10, 15])
  expect(ticksOf(5, 5, 3)).toEqual([5])
  expect(rangeOf([[null], [3, null, 1]])).toEqual([1, 3])
  expect(rangeOf([[null]])).toBeUndefined()
})

test('ticks have at most one decimal place from 1 on, and none on an axis of whole things', () => {
  expect(ticksOf(0, 10, 4)).toEqual([0, 5, 10])
  expect(ticksOf(0, 1, 4)).toEqual([0, 0.5, 1])
  expect(ticksOf(0, 2, 4)).toEqual([0, 0.5, 1, 1.5, 2])
  expect(ticksOf(0, 2, 4, true)).toEqual([0, 1, 2])
  expect(ticksOf(0, 1, 4, true)).toEqual([0, 1])
})
