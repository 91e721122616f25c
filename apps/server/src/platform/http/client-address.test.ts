import { expect, test } from 'vitest'
import {
  addressOf,
  canonicalAddress,
  isFromThisMachine,
  isLoopbackUrl,
  networkOf,
  siteOf,
  untrustedProxyOf,
} from './client-address.ts'

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:DB8:0:0::1', '2001:db8::1'],
  ['fe80::1%eth0', 'fe80::1'],
  ['not an address', undefined],
  ['7', undefined],
  ['0177.0.0.1', undefined],
])('RULE-08 %s has the canonical form %s', (given, canonical) => {
  expect(canonicalAddress(given)).toBe(canonical)
})

test('RULE-08 the addresses of one IPv6 /64 count as one client', () => {
  expect(networkOf('2001:db8:1:2::1')).toBe(networkOf('2001:db8:1:2:ffff:ffff:ffff:ffff'))
  expect(networkOf('2001:db8:1:2::1')).not.toBe(networkOf('2001:db8:1:3::1'))
  expect(networkOf('::ffff:192.0.2.7')).toBe('192.0.2.7')
  expect(networkOf('192.0.2.7')).not.toBe(networkOf('192.0.2.8'))
  expect(networkOf('unknown')).toBe('unknown')
})

test('RULE-08 the networks of one IPv6 /48 have the same site, and other networks have none', () => {
  expect(siteOf(networkOf('2001:db8:1:2::1'))).toBe(siteOf(networkOf('2001:db8:1:ffff::1')))
  expect(siteOf(networkOf('2001:db8:1:2::1'))).not.toBe(siteOf(networkOf('2001:db8:2:2::1')))
  for (const network of ['192.0.2.7', 'unknown', 'known:018f/64']) expect(siteOf(network)).toBeUndefined()
})

test.each([
  ['10.0.0.1', undefined, [], '10.0.0.1'],
  ['10.0.0.1', '203.0.113.9', [], '10.0.0.1'],
  ['10.0.0.1', '203.0.113.9', ['10.0.0.0/8'], '203.0.113.9'],
  ['10.0.0.1', '192.0.2.66, 203.0.113.9, 10.0.0.2', ['10.0.0.0/8'], '203.0.113.9'],
  ['::1', '203.0.113.9', ['::1'], '203.0.113.9'],
  ['10.0.0.1', '10.0.0.3', ['10.0.0.0/8'], '10.0.0.3'],
  ['203.0.113.1', '192.0.2.66', ['10.0.0.0/8'], '203.0.113.1'],
])(
  'RULE-08 a socket from %s with X-Forwarded-For %s behind %j has the address %s',
  (remote, header, trusted, from) => {
    const request = {
      headers: header === undefined ? {} : { 'x-forwarded-for': header },
      socket: { remoteAddress: remote },
    }
    expect(addressOf(request, trusted)).toBe(from)
  },
)

test.each([
  ['203.0.113.7:51234', '203.0.113.7'],
  ['203.0.113.7:', '203.0.113.7'],
  ['[2001:db8:1::5]:51234', '2001:db8:1::5'],
  ['[2001:db8:1::5]', '2001:db8:1::5'],
  ['"[2001:DB8::1]"', '2001:db8::1'],
  ['"[2001:db8::1]:4711"', '2001:db8::1'],
  ['"203.0.113.7:80"', '203.0.113.7'],
  ['"203.0.113.7:_port"', '203.0.113.7'],
  ['[::ffff:203.0.113.7]:80', '203.0.113.7'],
  ['fe80::7%eth0', 'fe80::7'],
  ['  203.0.113.7 \t', '203.0.113.7'],
  ['192.0.2.66, 203.0.113.7:51234, 10.0.0.2:80', '203.0.113.7'],
  ['192.0.2.66,,203.0.113.7,', '203.0.113.7'],
])('RULE-08 the hop %s of a trusted proxy is the address %s', (header, address) => {
  const unreadable: unknown[] = []
  const request = { headers: { 'x-forwarded-for': header }, socket: { remoteAddress: '10.0.0.1' } }
  expect(addressOf(request, ['10.0.0.0/8'], (found) => unreadable.push(found))).toBe(address)
  expect(unreadable).toEqual([])
})

test.each([
  ['unknown', 'unknown', '10.0.0.1'],
  ['_hidden', '_hidden', '10.0.0.1'],
  ['203.0.113.9, unknown', 'unknown', '10.0.0.1'],
  ['203.0.113.9, unknown, 10.0.0.2', 'unknown', '10.0.0.2'],
  ['203.0.113.7:51234:1', '203.0.113.7:51234:1', '10.0.0.1'],
  ['203.0.113.7; 192.0.2.1', '203.0.113.7; 192.0.2.1', '10.0.0.1'],
  ['pult.example.org', 'pult.example.org', '10.0.0.1'],
  ['[203', '[203', '10.0.0.1'],
  ['""', '""', '10.0.0.1'],
  ['12345', '12345', '10.0.0.1'],
])(
  'RULE-08 the unreadable X-Forwarded-For %s is reported as %s and counts as the proxy %s',
  (header, hop, proxy) => {
    const unreadable: unknown[] = []
    const request = { headers: { 'x-forwarded-for': header }, socket: { remoteAddress: '10.0.0.1' } }
    expect(addressOf(request, ['10.0.0.0/8'], (found) => unreadable.push(found))).toBe(proxy)
    expect(unreadable).toEqual([{ hop, proxy }])
  },
)

test.each([
  [{ 'x-forwarded-for': '' }, []],
  [{}, []],
  [{ forwarded: 'for=203.0.113.9' }, [{ hop: 'forwarded: for=203.0.113.9', proxy: '10.0.0.1' }]],
  [{ 'x-real-ip': '203.0.113.9' }, [{ hop: 'x-real-ip: 203.0.113.9', proxy: '10.0.0.1' }]],
])(
  'RULE-08 a trusted proxy with %j and no X-Forwarded-For counts as the client and is reported as %j',
  (headers, reported) => {
    const unreadable: unknown[] = []
    const request = { headers, socket: { remoteAddress: '10.0.0.1' } }
    expect(addressOf(request, ['10.0.0.1'], (found) => unreadable.push(found))).toBe('10.0.0.1')
    expect(unreadable).toEqual(reported)
  },
)

test('RULE-08 a client that is no trusted proxy cannot have a header reported', () => {
  const unreadable: unknown[] = []
  const request = { headers: { forwarded: 'for=192.0.2.1' }, socket: { remoteAddress: '203.0.113.1' } }
  expect(addressOf(request, ['10.0.0.1'], (found) => unreadable.push(found))).toBe('203.0.113.1')
  expect(unreadable).toEqual([])
})

test.each([
  ['::ffff:10.0.0.1', '::ffff:10.0.0.0/104'],
  ['10.0.0.1', '::ffff:10.0.0.0/104'],
  ['10.0.0.1', '::ffff:10.0.0.1'],
  ['::ffff:10.0.0.1', '10.0.0.0/8'],
  ['fe80::1%eth0', 'fe80::1%eth0'],
  ['2001:db8:0:0::1', '2001:DB8::/32'],
])('RULE-08 a proxy at %s is trusted by the entry %s', (remoteAddress, entry) => {
  const request = { headers: { 'x-forwarded-for': '203.0.113.9' }, socket: { remoteAddress } }
  expect(addressOf(request, [entry])).toBe('203.0.113.9')
})

test.each([
  ['10.0.0.1', { 'x-forwarded-for': '203.0.113.9' }, [], '10.0.0.1'],
  ['::1', { forwarded: 'for=203.0.113.9' }, [], '::1'],
  ['10.0.0.1', { 'x-forwarded-for': '203.0.113.9' }, ['10.0.0.0/8'], undefined],
  ['203.0.113.1', { 'x-forwarded-for': '192.0.2.1' }, [], undefined],
  ['10.0.0.1', {}, [], undefined],
  ['100.64.0.1', { 'x-forwarded-for': '203.0.113.9' }, [], '100.64.0.1'],
  ['169.254.1.1', { 'x-real-ip': '203.0.113.9' }, [], '169.254.1.1'],
  ['fe80::1%eth0', { forwarded: 'for=203.0.113.9' }, [], 'fe80::1'],
])(
  'RULE-08 the untrusted proxy of a request from %s with %j and trusted %j is %s',
  (remote, headers, trusted, proxy) => {
    expect(untrustedProxyOf({ headers, socket: { remoteAddress: remote } }, trusted)).toBe(proxy)
  },
)

test.each([
  ['127.0.0.1', { host: 'localhost:8080' }, true],
  ['::ffff:127.0.0.1', { host: '127.0.0.1' }, true],
  ['::1', { host: '[::1]:8080' }, true],
  ['192.0.2.1', { host: 'localhost:8080' }, false],
  ['127.0.0.1', { host: 'localhost:8080', via: '1.1 proxy' }, false],
  // A tunnel, a proxy without forwarding headers, and a page whose host name leads to this machine.
  ['127.0.0.1', { host: 'pult.example.org' }, false],
  ['127.0.0.1', { host: '127.0.0.1.evil.example' }, false],
  ['127.0.0.1', { host: 'localhost.evil.example:8080' }, false],
  ['127.0.0.1', {}, false],
])('a request from %s with %j comes from a program of this machine: %s', (remoteAddress, headers, isOwn) => {
  expect(isFromThisMachine({ headers, socket: { remoteAddress } })).toBe(isOwn)
})

test.each([
  ['http://localhost:8080', true],
  ['http://127.0.0.1', true],
  ['https://127.8.9.10:8443', true],
  ['http://127.1:8080', true],
  ['http://[::1]:8080', true],
  ['https://pult.example.org', false],
  ['http://192.168.1.7:8080', false],
  ['http://localhost.evil.example', false],
  ['http://127.0.0.1.evil.example', false],
  ['http://[::ffff:7f00:1]', false],
  ['http://0.0.0.0:8080', false],
])('%s leads every machine to itself: %s', (url, isLoopback) => {
  expect(isLoopbackUrl(url)).toBe(isLoopback)
})
