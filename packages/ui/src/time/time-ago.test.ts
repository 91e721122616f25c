import { describe, expect, test } from 'vitest'
import { formatDuration } from './format-duration.ts'
import { timeAgo } from './time-ago.ts'

const now = new Date(2026, 10, 24, 14, 31, 40).getTime()
const plain = (text: string) => text.replaceAll('\u202F', ' ')

describe('timeAgo', () => {
  test.each([
    [now, 'now', 'jetzt'],
    [now + 4000, 'now', 'jetzt'],
    [now + 59_000, 'now', 'jetzt'],
    [now - 3000, '3 s ago', 'vor 3 s'],
    [now - 41 * 60_000, '41 min ago', 'vor 41 min'],
    [new Date(2026, 10, 24, 9, 30).getTime(), '5 h ago', 'vor 5 h'],
    [new Date(2026, 10, 23, 18, 20).getTime(), 'yesterday, 18:20', 'gestern, 18:20'],
    [new Date(2026, 10, 18, 18, 20).getTime(), '6 days ago', 'vor 6 Tagen'],
    [new Date(2026, 10, 17, 18, 20).getTime(), '17 Nov 2026', '17.11.2026'],
    [now + 41 * 60_000, 'in 41 min', 'in 41 min'],
    [new Date(2026, 10, 24, 19, 35).getTime(), 'in 5 h', 'in 5 h'],
    [new Date(2026, 10, 25, 18, 20).getTime(), 'tomorrow, 18:20', 'morgen, 18:20'],
    [new Date(2026, 10, 30, 18, 20).getTime(), 'in 6 days', 'in 6 Tagen'],
    [new Date(2026, 11, 1, 18, 20).getTime(), '1 Dec 2026', '01.12.2026'],
  ])('an instant of %d reads "%s" and "%s"', (instant, english, german) => {
    expect(plain(timeAgo(instant, now, 'en'))).toBe(english)
    expect(plain(timeAgo(instant, now, 'de-DE'))).toBe(german)
  })

  test('TIME-01 TIME-02 the default catalogue shows the full date after 300000 ms', () => {
    expect(timeAgo(now - 12_000, now, 'de')).toBe('vor 12 Sekunden')
    expect(timeAgo(now - 299_999, now, 'de')).toBe('vor 4 Minuten')
    expect(timeAgo(now - 300_000, now, 'de')).toBe('24.11.2026 - 14:26:40')
    expect(timeAgo(now + 299_999, now, 'de')).toBe('jetzt')
    expect(timeAgo(now + 300_000, now, 'de')).toBe('24.11.2026 - 14:36:40')
  })
})

test.each([
  [0, '0 s', '0 s'],
  [12, '12 s', '12 s'],
  [361, '6 min 1 s', '361 s'],
  [4320, '1 h 12 min', '4.320 s'],
  [3600, '1 h', '3.600 s'],
  [200_000, '2 d 7 h', '200.000 s'],
])('TASK-10 %d seconds read "%s", in the default catalogue "%s"', (seconds, short, specified) => {
  expect(plain(formatDuration(seconds, 'en'))).toBe(short)
  expect(formatDuration(seconds, 'de')).toBe(specified)
})
