import fc from 'fast-check'
import { expect, test } from 'vitest'
import { auc, aucNoise, median, percentile } from './measure.ts'

test('a percentile is the value of the nearest rank, independent of the order', () => {
  const values = Array.from({ length: 100 }, (_, index) => 100 - index)
  expect(percentile(values, 0.5)).toBe(50)
  expect(percentile(values, 0.99)).toBe(99)
  expect(percentile(values, 1)).toBe(100)
  expect(percentile([3, 1, 2], 0.5)).toBe(2)
  expect(percentile([7], 0.99)).toBe(7)
  expect(percentile([9, 10, 1], 0)).toBe(1)
  expect(() => percentile([], 0.5)).toThrow('needs values')
})

test('a median sorts numerically and averages the middle two', () => {
  expect(median([10, 9, 1])).toBe(9)
  expect(median([10, 9, 1, 100])).toBe(9.5)
  expect(() => median([])).toThrow('needs values')
})

test('RULE-04 the AUC separates groups that differ, and only those', () => {
  expect(auc([3, 4], [1, 2])).toBe(1)
  expect(auc([1, 2], [3, 4])).toBe(0)
  expect(auc([1, 1], [1, 1])).toBe(0.5)
  expect(auc([2, 4], [1, 3])).toBe(0.75)
  expect(auc([1, 2], [2, 3])).toBe(0.125)
})

test('RULE-04 the AUC is the share of pairs in which the first is greater', () => {
  const group = fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 30 })
  fc.assert(
    fc.property(group, group, (positives, negatives) => {
      const points = positives.flatMap((a) => negatives.map((b) => (a > b ? 1 : a === b ? 0.5 : 0)))
      const expected = points.reduce<number>((sum, point) => sum + point, 0) / points.length
      expect(auc(positives, negatives)).toBeCloseTo(expected, 10)
    }),
  )
})

test('RULE-04 the noise of 5,000 samples fits into the allowed band', () => {
  expect(aucNoise(2500, 2500)).toBeCloseTo(0.016, 3)
  expect(aucNoise(100, 100)).toBeGreaterThan(0.05)
})
