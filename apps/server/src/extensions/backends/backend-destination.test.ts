import { expect, test } from 'vitest'
import { isAllowedUrl, lookupAllowed } from './backend-destination.ts'

test.each([
  'http://169.254.169.254/latest',
  'https://169.254.169.254/',
  'http://[fe80::1]/',
  'https://[fe80::1]/',
  'http://[::ffff:169.254.169.254]/',
  'http://0.0.0.0/',
  'http://0/',
  'http://[::]/',
  'https://255.255.255.255/',
  'http://8.8.8.8/',
  'http://[2001:4860:4860::8888]/',
])('the service address %s is refused', (url) => {
  expect(isAllowedUrl(new URL(url))).toBe(false)
})

test.each([
  'http://127.0.0.1:3000/',
  'http://[::1]:3000/',
  'http://localhost:3000/',
  'http://10.1.2.3/',
  'http://192.168.1.9/',
  'http://[fd00::9]/',
  'http://service:3000/',
  'https://8.8.8.8/',
  'https://service.example.org/',
])('the service address %s is accepted', (url) => {
  expect(isAllowedUrl(new URL(url))).toBe(true)
})

const resolve = (hostname: string, protocol: 'http:' | 'https:') =>
  new Promise((done) => lookupAllowed(protocol)(hostname, {}, (error, address) => done(error ?? address)))

test('a name that resolves only to forbidden addresses is refused on connect', async () => {
  expect(await resolve('169.254.169.254', 'https:')).toBeInstanceOf(Error)
  expect(await resolve('0.0.0.0', 'https:')).toBeInstanceOf(Error)
  expect(await resolve('8.8.8.8', 'http:')).toBeInstanceOf(Error)
  expect(await resolve('8.8.8.8', 'https:')).toBe('8.8.8.8')
  expect(await resolve('localhost', 'http:')).toMatch(/^(127\.0\.0\.1|::1)$/)
})
