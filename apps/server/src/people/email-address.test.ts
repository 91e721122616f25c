import { expect, test } from 'vitest'
import { emailKey, isEmailAddress, parseEmailAddress } from './email-address.ts'

test.each([
  'ada@example.org',
  "o'hara+tag@sub.example.org",
  'root@localhost',
  'müller@bücher.example',
  'a.b@c-d.org',
])('RULE-48 %s is accepted as an address', (address) => {
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
])('RULE-48 %j is rejected', (address) => {
  expect(isEmailAddress(address)).toBe(false)
})

test('DEC-01 addresses are compared without case', () => {
  expect(emailKey(' Ada@Example.ORG ')).toBe(emailKey('ada@example.org'))
})

test('RULE-45 the Unicode and ASCII spellings of a domain are compared as equal', () => {
  expect(emailKey('ada@bücher.example')).toBe(emailKey('ada@xn--bcher-kva.example'))
  expect(emailKey('ada@bücher.example')).not.toBe(emailKey('ada@bucher.example'))
})

test.each(['ada＠example.org@example.net', 'ada，eve@example.org'])(
  'RULE-48 %s is rejected because it does not normalise to one address',
  (address) => {
    expect(() => parseEmailAddress(address)).toThrow('This is not a valid e-mail address')
  },
)
