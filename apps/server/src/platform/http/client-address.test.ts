import { expect, test } from 'vitest'
import { canonicalAddress, networkOf } from './client-address.ts'

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:DB8:0:0::1', '2001:db8::1'],
  ['fe80::1%eth0', 'fe80::1'],
  ['not an address', 'unknown'],
])('RULE-08 spells %s as %s', (given, canonical) => {
  expect(canonicalAddress(given)).toBe(canonical)
})

test('RULE-08 counts the addresses of one IPv6 /64 as one client', () => {
  expect(networkOf('2001:db8:1:2::1')).toBe(networkOf('2001:db8:1:2:ffff:ffff:ffff:ffff'))
  expect(networkOf('2001:db8:1:2::1')).not.toBe(networkOf('2001:db8:1:3::1'))
  expect(networkOf('::ffff:192.0.2.7')).toBe('192.0.2.7')
  expect(networkOf('192.0.2.7')).not.toBe(networkOf('192.0.2.8'))
  expect(networkOf('unknown')).toBe('unknown')
})
