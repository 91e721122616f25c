import { expect, test } from 'vitest'
import { testsOf } from './changed-tests.ts'

const tests = [
  'apps/server/src/account/emails/email.test.ts',
  'apps/console/src/account/emails/emails.test.ts',
  'apps/server/src/account/otp/otp.test.ts',
  'packages/ui/src/time/time.test.ts',
]

test('a changed file selects the tests of its folder', () => {
  expect(testsOf(['apps/server/src/account/otp/totp.ts', 'README.md'], tests)).toEqual([
    'apps/server/src/account/otp/otp.test.ts',
  ])
})

test('a changed contract selects the tests of its noun in the server and the console', () => {
  expect(testsOf(['packages/contract/src/account/emails.ts'], tests)).toEqual(tests.slice(0, 2))
})

test('a changed test selects itself', () => {
  expect(testsOf(['packages/ui/src/time/time.test.ts'], tests)).toEqual(['packages/ui/src/time/time.test.ts'])
})
