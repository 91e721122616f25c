import { expect, onTestFinished, test } from 'vitest'
import { timeTicks } from './time-ticks.ts'

function inZone(zone: string): void {
  const former = process.env['TZ']
  onTestFinished(() => {
    if (former === undefined) delete process.env['TZ']
    else process.env['TZ'] = former
  })
  process.env['TZ'] = zone
}

/** Instants as day of the month and time of day in the zone of the test. */
const written = (times: readonly number[]) =>
  times.map((time) => {
    const date = new Date(time)
    return `${date.getDate()} ${date.toTimeString().slice(0, 5)}`
  })
const ticksOf = (from: Date, to: Date, room: (areDays: boolean) => number) => {
  const { times, areDays } = timeTicks(from.getTime(), to.getTime(), room)
  return { times: written(times), areDays }
}

test('apexcharts/apexcharts.js#4398 a day on which the clocks go back has its ticks at full hours', () => {
  inZone('Europe/Berlin')
  expect(ticksOf(new Date(2026, 9, 25), new Date(2026, 9, 26), () => 6)).toEqual({
    times: ['25 00:00', '25 06:00', '25 12:00', '25 18:00', '26 00:00'],
    areDays: false,
  })
})

test('plotly/plotly.js#811 the days of a week around a change of the clocks begin at midnight', () => {
  inZone('Europe/Berlin')
  expect(
    ticksOf(new Date(2026, 9, 22, 10), new Date(2026, 9, 28, 10), (areDays) => (areDays ? 8 : 4)),
  ).toEqual({
    times: ['23 00:00', '24 00:00', '25 00:00', '26 00:00', '27 00:00', '28 00:00'],
    areDays: true,
  })
})

test('highcharts/highcharts#5935 the weeks of a month begin at the midnight of Monday', () => {
  inZone('America/New_York')
  expect(ticksOf(new Date(2026, 9, 29), new Date(2026, 10, 28), () => 5).times).toEqual([
    '2 00:00',
    '9 00:00',
    '16 00:00',
    '23 00:00',
  ])
})

test('an hour that the clocks skip has no tick', () => {
  inZone('Europe/Berlin')
  expect(ticksOf(new Date(2026, 2, 29), new Date(2026, 2, 29, 5), () => 6).times).toEqual([
    '29 00:00',
    '29 01:00',
    '29 03:00',
    '29 04:00',
    '29 05:00',
  ])
})

test('halves of an hour and of a day count from the full hour and from midnight of the zone', () => {
  inZone('Asia/Kolkata')
  expect(ticksOf(new Date(2026, 2, 29, 9, 10), new Date(2026, 2, 29, 10, 40), () => 4).times).toEqual([
    '29 09:30',
    '29 10:00',
    '29 10:30',
  ])
  expect(ticksOf(new Date(2026, 2, 29, 9), new Date(2026, 2, 30, 15), () => 3)).toEqual({
    times: ['29 12:00', '30 00:00', '30 12:00'],
    areDays: false,
  })
})

test('a range longer than all steps has no more ticks than fit', () => {
  inZone('UTC')
  const { times, areDays } = ticksOf(new Date(2026, 0, 1), new Date(2028, 0, 1), () => 5)
  expect(times.length).toBeGreaterThan(2)
  expect(times.length).toBeLessThanOrEqual(6)
  expect(times.every((time) => time.endsWith('00:00'))).toBe(true)
  expect(areDays).toBe(true)
})
