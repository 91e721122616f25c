import { expect, test } from 'vitest'
import { backendAddress } from './backend-address.ts'

const base = 'http://10.0.0.5:9000/hall/api'

test.each([
  ['', '/hall/api/'],
  ['a', '/hall/api/a'],
  ['a/b/', '/hall/api/a/b/'],
  ['a%20b/%C3%BC?x=1&y=a/../b', '/hall/api/a%20b/%C3%BC?x=1&y=a/../b'],
  ['//example.org/x', '/hall/api///example.org/x'],
  ['http://example.org/x', '/hall/api/http://example.org/x'],
  ['@example.org', '/hall/api/@example.org'],
  ['...', '/hall/api/...'],
  ['a..b', '/hall/api/a..b'],
  ['?x', '/hall/api/?x'],
  ['a#b', '/hall/api/a%23b'],
])('DEC-21 the path %j is forwarded to %s below the configured URL', (rest, expected) => {
  expect(backendAddress(base, rest)?.href).toBe(`http://10.0.0.5:9000${expected}`)
})

test.each([
  '..',
  '../secret',
  'a/../../secret',
  '%2e%2e/secret',
  '%2E%2E/secret',
  '.%2e/secret',
  'a/./b',
  '%2e/b',
  '..;/secret',
  '..;x=1/secret',
  '..%3B/secret',
  'a%2fb',
  'a%2F..%2F..%2Fsecret',
  'a%5cb',
  'a\\..\\secret',
  '%252e%252e/secret',
  '..%252fsecret',
  'a%00b',
  'a%0d%0ab',
  'a%zz',
  '%c0%ae%c0%ae/secret',
])('DEC-21 the path %j, which could lead out of the URL, is not forwarded', (rest) => {
  expect(backendAddress(base, rest)).toBeUndefined()
})

test('a base URL with and without a trailing slash is equivalent', () => {
  expect(backendAddress('https://example.org', 'a')?.href).toBe('https://example.org/a')
  expect(backendAddress('https://example.org/', 'a')?.href).toBe('https://example.org/a')
  expect(backendAddress('https://example.org/x/', 'a')?.href).toBe('https://example.org/x/a')
})
