import { expect, test } from 'vitest'
import { hostOf, placeOf, readServerAddress } from './server-address.ts'

test.each([
  ['https://pult.example.org', 'https://pult.example.org'],
  ['https://pult.example.org/', 'https://pult.example.org'],
  [' https://pult.example.org:8443\n', 'https://pult.example.org:8443'],
  ['https://pult.example.org:443', 'https://pult.example.org'],
  ['HTTPS://PULT.Example.ORG', 'https://pult.example.org'],
  ['https://pult.example.org.', 'https://pult.example.org.'],
  ['https://bühne.example', 'https://xn--bhne-0ra.example'],
  ['https://192.0.2.7', 'https://192.0.2.7'],
  ['https://[2001:db8::1]:8443', 'https://[2001:db8::1]:8443'],
  ['http://localhost:8080', 'http://localhost:8080'],
  ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
  ['http://[::1]:8511', 'http://[::1]:8511'],
])('the address %j is %s', (given, origin) => {
  expect(readServerAddress(given)).toEqual({ origin, hint: undefined })
})

test.each([
  ['https://pult.example.org/app/edges?x=1', 'https://pult.example.org', /without the path/],
  ['http://192.168.1.20:8080', 'http://192.168.1.20:8080', /is not encrypted/],
  ['http://pult.example.org/x', 'http://pult.example.org', /without the path.*is not encrypted/],
])('the address %s is accepted with a hint', (given, origin, hint) => {
  expect(readServerAddress(given)).toEqual({ origin, hint: expect.stringMatching(hint) })
})

test.each([
  ['', 'is empty'],
  ['pult.example.org', 'does not begin with https:// or http://'],
  ['example.org:8443', 'does not begin with https:// or http://'],
  ['localhost:8080', 'does not begin with https:// or http://'],
  ['wss://pult.example.org', 'begins with ws'],
  ['ftp://pult.example.org', 'begins with another scheme'],
  ['https://', 'has an invalid host or port'],
  ['https://pult.example.org:99999', 'has an invalid host or port'],
  ['https://pult example.org', 'has an invalid host or port'],
  ['http://[fe80::1%25eth0]:8080', 'contains an IPv6 address with a zone'],
  ['http://[fe80::1%eth0]', 'contains an IPv6 address with a zone'],
  ['http://2001:db8::1', 'has an invalid host or port'],
  ['https://ada:secret@pult.example.org', 'contains a user name or a password'],
])('the address %j is refused, without its password', (given, reason) => {
  expect(() => readServerAddress(given)).toThrow(
    expect.objectContaining({ exitCode: 64, message: expect.stringContaining(`the given one ${reason}`) }),
  )
  expect(() => readServerAddress(given)).not.toThrow('secret')
})

test('actions/toolkit#2298 the host of an IPv6 address has no brackets', () => {
  expect(hostOf('http://[::1]:8511')).toEqual({ host: '::1', port: '8511' })
  expect(placeOf('http://[::1]:8511')).toBe('[::1]:8511')
  expect(hostOf('https://pult.example.org')).toEqual({ host: 'pult.example.org', port: '443' })
  expect(placeOf('http://192.0.2.7')).toBe('192.0.2.7:80')
})
