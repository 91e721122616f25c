import { expect, test } from 'vitest'
import { emailKey, isEmailAddress } from './email-address.ts'

test.each([
  'ada@example.org',
  "o'hara+tag@sub.example.org",
  'root@localhost',
  'müller@bücher.example',
  'a.b@c-d.org',
])('RULE-48 takes %s as an address', (address) => {
  expect(isEmailAddress(address)).toBe(true)
})

test.each([
  'ada@example.org, evil@example.net',
  'ada@example.org\r\nBcc: evil@example.net',
  'Ada <ada@example.org>',
  'friends: ada@example.org;',
  '"a b"@example.org',
  'ada@@example.org',
  'ada@example..org',
  '.ada@example.org',
  'ada@-example.org',
  'ada @example.org',
  'ada@example.org ',
  'ada',
  '',
  `${'a'.repeat(250)}@example.org`,
])('RULE-48 refuses %j', (address) => {
  expect(isEmailAddress(address)).toBe(false)
})

test('DEC-01 compares addresses without case', () => {
  expect(emailKey(' Ada@Example.ORG ')).toBe(emailKey('ada@example.org'))
})
