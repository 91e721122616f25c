import { expect, test } from 'vitest'
import { createRateMeter } from './transfer-rate.ts'

test('FILE-02 the rate is that of the last seconds, and a pause or a restart begins a new measurement', () => {
  let now = 0
  const meter = createRateMeter(() => now)
  const after = (milliseconds: number, bytes: number) => {
    now += milliseconds
    return meter.add(bytes)
  }
  expect([after(0, 500), after(500, 1000), after(500, 1500)]).toEqual([null, null, 1000])
  // A burst of the past leaves the measurement.
  for (let second = 1; second <= 8; second += 1) after(1000, 1500 + second * 100)
  expect(after(1000, 2400)).toBe(100)
  // The transfer stands still.
  for (let second = 1; second <= 8; second += 1) after(1000, 2400)
  expect(after(1000, 2400)).toBe(0)
  meter.reset()
  expect([after(0, 9000), after(1000, 9300)]).toEqual([null, 300])
  expect([after(1000, 0), after(1000, 50)]).toEqual([null, 50])
})
