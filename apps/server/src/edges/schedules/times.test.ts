import { expect, test } from 'vitest'
import { AppError } from '#platform/app-error.ts'
import { checkRhythm, dueTimes, movedAfter, timesAfter } from './times.ts'

const berlin = (cron: string) => ({ cron, timeZone: 'Europe/Berlin' })
const at = (text: string) => new Date(text)
const iso = (times: readonly (Date | null)[]) => times.map((time) => time?.toISOString())

test('a time that the clock skips runs at the end of the skipped hour, and one that occurs twice runs once', () => {
  const nightly = berlin('30 2 * * *')
  expect(iso(timesAfter(nightly, at('2027-03-27T12:00:00Z'), 2))).toEqual([
    '2027-03-28T01:00:00.000Z',
    '2027-03-29T00:30:00.000Z',
  ])
  expect(iso(timesAfter(nightly, at('2027-10-30T12:00:00Z'), 2))).toEqual([
    '2027-10-31T00:30:00.000Z',
    '2027-11-01T01:30:00.000Z',
  ])
})

test('the next moved run is found within a year, for zones that skip an hour at the time of the run', () => {
  const now = at('2026-11-25T12:00:00Z')
  expect(movedAfter(berlin('30 2 * * *'), now)?.toISOString()).toBe('2027-03-28T01:00:00.000Z')
  expect(movedAfter({ cron: '15 2 * * *', timeZone: 'America/New_York' }, now)?.toISOString()).toBe(
    '2027-03-14T07:00:00.000Z',
  )
  // Three o'clock exists on that day.
  expect(movedAfter(berlin('0 3 * * *'), now)).toBeNull()
  expect(movedAfter(berlin('30 2 1 * *'), now)).toBeNull()
  expect(movedAfter({ cron: '30 2 * * *', timeZone: 'Asia/Kolkata' }, now)).toBeNull()
})

test('a rhythm needs five fields, a known zone, a time that occurs, and five minutes between two runs', () => {
  const now = at('2026-11-25T12:00:00Z')
  for (const cron of [
    '* * * * *',
    '*/7 * * * *',
    '0,3 4 * * *',
    '0 0 31 2 *',
    '* * * * * *',
    '61 0 * * *',
    'soon',
  ])
    expect(() => checkRhythm(berlin(cron), now), cron).toThrow(AppError)
  expect(() => checkRhythm({ cron: '0 3 * * *', timeZone: 'Nowhere/Here' }, now)).toThrow(AppError)
  for (const cron of ['*/5 * * * *', '0 3 * * 1-5', '0 3 L * *', '@weekly']) checkRhythm(berlin(cron), now)
})

test('after a downtime the last due time begins if it is recent, and the earlier ones are missed', () => {
  const hourly = berlin('0 * * * *')
  const nextAt = at('2026-11-25T09:00:00Z')
  const soon = dueTimes(hourly, { nextAt, now: at('2026-11-25T11:05:00Z') })
  expect(iso([soon.begins ?? null, ...soon.missed, soon.next])).toEqual([
    '2026-11-25T11:00:00.000Z',
    '2026-11-25T09:00:00.000Z',
    '2026-11-25T10:00:00.000Z',
    '2026-11-25T12:00:00.000Z',
  ])
  const late = dueTimes(hourly, { nextAt, now: at('2026-11-25T11:20:00Z') })
  expect(late.begins).toBeUndefined()
  expect(late.missed).toHaveLength(3)
  const long = dueTimes(hourly, { nextAt, now: at('2026-12-25T11:01:00Z') })
  expect(long.begins).toBeUndefined()
  expect(long.missed).toHaveLength(100)
  expect(long.next?.toISOString()).toBe('2026-12-25T12:00:00.000Z')
})
