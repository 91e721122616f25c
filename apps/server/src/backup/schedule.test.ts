import { expect, test } from 'vitest'
import { lastTime, nextTime } from './schedule.ts'

const at = (text: string) => new Date(text)

test.each([
  ['daily', '2026-03-10T01:59:00', '2026-03-09T02:00:00', '2026-03-10T02:00:00'],
  ['daily', '2026-03-10T02:00:00', '2026-03-10T02:00:00', '2026-03-11T02:00:00'],
  ['weekly', '2026-03-10T12:00:00', '2026-03-08T02:00:00', '2026-03-15T02:00:00'],
  ['weekly', '2026-03-08T01:00:00', '2026-03-01T02:00:00', '2026-03-08T02:00:00'],
] as const)('a %s backup at %s was due at %s and is due at %s', (schedule, now, last, next) => {
  expect(lastTime({ schedule, hour: 2 }, at(now))).toEqual(at(last))
  expect(nextTime({ schedule, hour: 2 }, at(now))).toEqual(at(next))
})

test('without a schedule no backup is due', () => {
  expect(lastTime({ schedule: 'off', hour: 2 }, new Date())).toBeUndefined()
  expect(nextTime({ schedule: 'off', hour: 2 }, new Date())).toBeUndefined()
})
