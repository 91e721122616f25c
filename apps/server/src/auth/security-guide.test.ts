import { readFile } from 'node:fs/promises'
import { limits } from '@pult/contract'
import { expect, test } from 'vitest'
import { networkPolicy, passwordPolicy, secondFactorPolicy } from './attempts.ts'
import { linkLifetime, resetPolicy } from './recovery/recovery.ts'

const guide = await readFile(new URL('../../../../docs/operations/security.md', import.meta.url), 'utf8')

test('the guide on security states the limits that apply', () => {
  const text = guide.replace(/\s+/g, ' ')
  const minutes = (seconds: number) => `${seconds / 60} minutes`
  const rows = guide.split('\n').filter((line) => line.startsWith('|'))
  const row = (start: string, index = 0) => rows.filter((line) => line.startsWith(`| ${start}`))[index]
  for (const policy of [passwordPolicy, secondFactorPolicy]) {
    const first = policy === passwordPolicy ? 'wrong passwords' : 'wrong codes'
    expect(row(first)).toContain(
      `| ${policy.free} | waits of ${policy.firstWait} s, doubling to ${policy.longestWait / 3600} hour |`,
    )
    expect(rows[rows.indexOf(row(first) ?? '') + 1]).toContain(`| ${policy.most} |`)
  }
  expect(row('failures of one network')).toContain(
    `| ${networkPolicy.most} in ${minutes(networkPolicy.seconds)} |`,
  )
  expect(row('password resets')).toContain(`| ${resetPolicy.most} in ${minutes(resetPolicy.seconds)} |`)
  expect(row('link of a reset')).toContain(`after ${minutes(linkLifetime)} or one use`)
  expect(row('task token')).toContain(`after ${limits.taskTokenDays} days`)
  expect(row('enrolment code')).toContain(`after ${limits.edgeCode / 60_000} minutes`)
  expect(text).toContain(`have ${limits.newPasswordMin} to ${limits.newPasswordMax} characters`)
  expect(text).toContain(`one of ${limits.recoveryCodes} recovery codes`)
  expect(text).toContain(`at most ${limits.recentSignIn / 60_000} minutes old`)
})
