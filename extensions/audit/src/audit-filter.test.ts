import { limits } from '@pult/sdk/api'
import { expect, test } from 'vitest'
import { isLocalTime, noFilter, queryOf } from './audit-filter.ts'

test('RULE-57 filters in every field reach the server completely and within its limit', () => {
  const full = (sign: string) => sign.repeat(60)
  const filter = {
    ...noFilter,
    search: 's'.repeat(limits.searchMax),
    who: full('w'),
    target: full('t'),
    inProject: full('p'),
    what: 'otp.recovery-requested',
    result: 'failure',
  }
  const { search = '' } = queryOf(filter)
  for (const value of ['s', 'w', 't', 'p'].map(full)) expect(search).toContain(value)
  expect(search.length).toBeLessThanOrEqual(limits.auditSearchMax)
})

test.each([
  ['2026-11-26T10:00', true],
  ['2028-02-29T23:59', true],
  ['2026-11-26T10:00:30.5', true],
  ['122026-11-26T10:00', false],
  ['+122026-11-26T10:00', false],
  ['2026-02-30T10:00', false],
  ['2026-11-26T24:30', false],
  ['2026-11-26', false],
  ['2026-11-26T10:00Z', false],
  ['26.11.2026 10:00', false],
  ['5', false],
  ['', false],
])('RULE-57 the time %s of a link is understood: %s', (text, isUnderstood) => {
  expect(isLocalTime(text)).toBe(isUnderstood)
})
