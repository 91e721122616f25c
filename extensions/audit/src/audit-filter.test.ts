import { limits } from '@pult/sdk/api'
import { expect, test } from 'vitest'
import { noFilter, queryOf } from './audit-filter.ts'

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
