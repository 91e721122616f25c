import { expect, test } from 'vitest'
import { isMet } from './bars.ts'

test.each([
  { bar: { kind: 'at most', value: 85 }, met: [85], missed: [85.01] },
  { bar: { kind: 'below', value: 250 }, met: [249], missed: [250] },
  { bar: { kind: 'between', low: 0.45, high: 0.55 }, met: [0.55], missed: [0.44] },
] as const)('a bar of kind $bar.kind', ({ bar, met, missed }) => {
  expect(isMet(bar, met, undefined)).toBe(true)
  expect(isMet(bar, missed, undefined)).toBe(false)
})

test('a bar relative to the floor compares medians', () => {
  const floor = [100, 1, 900]
  expect(isMet({ kind: 'times the floor', factor: 1.3 }, [130, 5, 1000], floor)).toBe(true)
  expect(isMet({ kind: 'times the floor', factor: 1.3 }, [131], floor)).toBe(false)
  expect(isMet({ kind: 'times the floor', factor: 1.5, plus: 100 }, [250], floor)).toBe(true)
  expect(isMet({ kind: 'times the floor', factor: 1.5, plus: 100 }, [251], floor)).toBe(false)
  expect(isMet({ kind: 'share of the floor', share: 0.5 }, [50], floor)).toBe(true)
  expect(isMet({ kind: 'share of the floor', share: 0.5 }, [49], floor)).toBe(false)
})

test('a relative bar without a floor is an error, not a pass', () => {
  expect(() => isMet({ kind: 'share of the floor', share: 0.5 }, [50], undefined)).toThrow('floor')
})
