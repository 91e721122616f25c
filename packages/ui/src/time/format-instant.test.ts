import { expect, onTestFinished, test } from 'vitest'
import {
  formatDate,
  formatDayAndMinute,
  formatDayOfMonth,
  formatInstant,
  formatInZone,
} from './format-instant.ts'

test('BUILD-01 an instant has the format dd.MM.yyyy - HH:mm:ss, and an invalid one stays unchanged', () => {
  expect(formatInstant('2026-01-05T09:03:07')).toBe('05.01.2026 - 09:03:07')
  expect(formatInstant('')).toBe('')
  expect(formatInstant('soon')).toBe('soon')
})

test('the-djmaze/snappymail#760 a time in a zone has 24 hours in every language', () => {
  const instant = '2026-11-29T14:30:00Z'
  expect(formatInZone(instant, 'Europe/Berlin', 'en')).toBe('Sun, 29 Nov 2026, 15:30')
  expect(formatInZone(instant, 'Europe/Berlin', 'de')).toBe('So, 29.11.2026 - 15:30')
  expect(formatInZone(instant, 'Europe/Berlin', 'de-DE')).toBe('So, 29.11.2026, 15:30')
  expect(formatInZone(instant, 'UTC', 'en')).toBe('Sun, 29 Nov 2026, 14:30')
  expect(formatInZone('soon', 'UTC', 'en')).toBe('soon')
})

test.each([
  ['Europe/Berlin', '2026-10-25T00:20:00Z', 'Sun, 25 Oct 2026, 02:20 GMT+2'],
  ['Europe/Berlin', '2026-10-25T01:20:00Z', 'Sun, 25 Oct 2026, 02:20 GMT+1'],
  ['Europe/Berlin', '2026-10-25T02:20:00Z', 'Sun, 25 Oct 2026, 03:20'],
  ['Australia/Lord_Howe', '2027-04-03T14:45:00Z', 'Sun, 4 Apr 2027, 01:45 GMT+11'],
  ['Australia/Lord_Howe', '2027-04-03T15:15:00Z', 'Sun, 4 Apr 2027, 01:45 GMT+10:30'],
  ['Antarctica/Troll', '2026-10-24T23:30:00Z', 'Sun, 25 Oct 2026, 01:30 GMT+2'],
])('Hexagon/croner#132 a time that occurs twice has its offset: %s, %s', (zone, instant, text) => {
  expect(formatInZone(instant, zone, 'en')).toBe(text)
})

test('a tick of an axis has day and month without the year', () => {
  const instant = new Date(2026, 10, 4, 9, 5)
  expect([formatDayOfMonth(instant, 'en'), formatDayOfMonth(instant, 'de')]).toEqual(['04/11', '04.11.'])
  expect(formatDayAndMinute(instant, 'en')).toBe('04/11, 09:05')
})

test('add-to-calendar-button#389 a day without a time is written as this day in every time zone', () => {
  const before = process.env['TZ']
  onTestFinished(() => {
    if (before === undefined) delete process.env['TZ']
    else process.env['TZ'] = before
  })
  for (const zone of ['America/Sao_Paulo', 'Pacific/Kiritimati', 'UTC']) {
    process.env['TZ'] = zone
    expect(formatDate('2026-11-30', 'de')).toBe('30.11.2026')
  }
})
