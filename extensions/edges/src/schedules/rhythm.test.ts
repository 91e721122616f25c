import { expect, test } from 'vitest'
import { cronOf, rhythmOf, usualRhythm } from './rhythm.ts'

test('each kind of rhythm becomes a cron pattern and is parsed from it', () => {
  const written = [
    [{ kind: 'daily', time: '03:05' }, '5 3 * * *'],
    [{ kind: 'weekdays', time: '22:00' }, '0 22 * * 1-5'],
    [{ kind: 'weekly', time: '00:30', weekday: 0 }, '30 0 * * 0'],
    [{ kind: 'monthly', time: '04:00', day: 28 }, '0 4 28 * *'],
    [{ kind: 'cron', cron: '*/15 6-22 * * *' }, '*/15 6-22 * * *'],
  ] as const
  for (const [fields, cron] of written) {
    expect(cronOf({ ...usualRhythm, ...fields })).toBe(cron)
    expect(rhythmOf(cron)).toMatchObject(fields)
  }
})

test('a pattern without a simple kind stays a cron pattern, and an empty time yields none', () => {
  for (const cron of ['0 4 31 * *', '0 4 1 * 1', '0 3 * 2 *', '@daily'])
    expect(rhythmOf(cron)).toMatchObject({ kind: 'cron', cron })
  expect(cronOf({ ...usualRhythm, time: '' })).toBeUndefined()
  expect(cronOf({ ...usualRhythm, kind: 'cron', cron: ' ' })).toBeUndefined()
})
