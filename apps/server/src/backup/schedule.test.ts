import { expect, onTestFinished, test } from 'vitest'
import { lastTime, nextTime } from './schedule.ts'

const at = (text: string) => new Date(text)

test.each([
  ['daily', '2026-03-10T01:59:00', '2026-03-09T02:00:00', '2026-03-10T02:00:00'],
  ['daily', '2026-03-10T02:00:00', '2026-03-10T02:00:00', '2026-03-11T02:00:00'],
  ['weekly', '2026-03-10T12:00:00', '2026-03-08T02:00:00', '2026-03-15T02:00:00'],
  ['weekly', '2026-03-08T01:00:00', '2026-03-01T02:00:00', '2026-03-08T02:00:00'],
  ['hourly', '2026-03-10T12:00:00', '2026-03-10T12:00:00', '2026-03-10T13:00:00'],
  ['hourly', '2026-03-10T12:59:59.999', '2026-03-10T12:00:00', '2026-03-10T13:00:00'],
  ['hourly', '2026-03-10T23:30:00', '2026-03-10T23:00:00', '2026-03-11T00:00:00'],
] as const)('a %s backup at %s was due at %s and is due at %s', (schedule, now, last, next) => {
  expect(lastTime({ schedule, hour: 2 }, at(now))).toEqual(at(last))
  expect(nextTime({ schedule, hour: 2 }, at(now))).toEqual(at(next))
})

test.each([
  ['Europe/Berlin', 'in the hour before it is repeated', '00:30', '00:00', '01:00'],
  ['Europe/Berlin', 'in the repeated hour', '01:30', '01:00', '02:00'],
  ['Asia/Kolkata', 'half an hour beside UTC', '10:45', '10:30', '11:30'],
])('in %s, %s, an hourly backup is due at each full hour of the clock', (zone, _, now, last, next) => {
  const former = process.env['TZ']
  onTestFinished(() => {
    if (former === undefined) delete process.env['TZ']
    else process.env['TZ'] = former
  })
  process.env['TZ'] = zone
  const onSunday = (time: string) => at(`2026-10-25T${time}:00Z`)
  expect(lastTime({ schedule: 'hourly', hour: 2 }, onSunday(now))).toEqual(onSunday(last))
  expect(nextTime({ schedule: 'hourly', hour: 2 }, onSunday(now))).toEqual(onSunday(next))
})

test('without a schedule no backup is due', () => {
  expect(lastTime({ schedule: 'off', hour: 2 }, new Date())).toBeUndefined()
  expect(nextTime({ schedule: 'off', hour: 2 }, new Date())).toBeUndefined()
})
