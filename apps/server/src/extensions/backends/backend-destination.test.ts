import { expect, test } from 'vitest'
import { isAllowedUrl, lookupAllowed } from './backend-destination.ts'

test.each([
  '169.254.169.254',
  '169.254.170.2',
  '100.100.100.200',
  '168.63.129.16',
  '0.0.0.0',
  '0',
  '255.255.255.255',
  '224.0.0.1',
  '[::]',
  '[fe80::1]',
  '[ff02::1]',
  '[fd00:ec2::254]',
  '[fd00:ec2::23]',
  '[fd20:ce::254]',
  '[::ffff:169.254.169.254]',
  '[::ffff:100.100.100.200]',
  '[::ffff:0:169.254.169.254]',
  '[64:ff9b::169.254.169.254]',
  '[64:ff9b::168.63.129.16]',
  '[64:ff9b:1::169.254.169.254]',
  '[2002:a9fe:a9fe::1]',
  '[2002:6464:64c8::]',
])('the service address %s is refused, also with https and if root allows http', (host) => {
  expect(isAllowedUrl(new URL(`https://${host}/latest`), false)).toBe(false)
  expect(isAllowedUrl(new URL(`http://${host}/latest`), true)).toBe(false)
})

test.each(['127.0.0.1', '127.1.2.3', '[::1]', '[::ffff:127.0.0.1]', 'localhost', 'service.localhost'])(
  'http to %s, which is this machine, needs no consent',
  (host) => {
    expect(isAllowedUrl(new URL(`http://${host}:3000/`), false)).toBe(true)
  },
)

test.each([
  '10.1.2.3',
  '192.168.1.9',
  '[fd00::9]',
  '8.8.8.8',
  '[2001:4860:4860::8888]',
  '[64:ff9b::127.0.0.1]',
  '[2002:7f00:1::1]',
  'service',
  'localhost.example.org',
  '127.example.org',
])('http to %s needs the consent of root, https does not', (host) => {
  expect(isAllowedUrl(new URL(`http://${host}:3000/`), false)).toBe(false)
  expect(isAllowedUrl(new URL(`http://${host}:3000/`), true)).toBe(true)
  expect(isAllowedUrl(new URL(`https://${host}:3000/`), false)).toBe(true)
})

test('a name resolves only to its allowed addresses', async () => {
  const resolved = (protocol: 'http:' | 'https:', allowsHttp = false) =>
    new Promise((done) =>
      lookupAllowed(protocol, allowsHttp, (_name, _options, callback) =>
        callback(null, [
          { address: '169.254.169.254', family: 4 },
          { address: '192.168.1.9', family: 4 },
          { address: '127.0.0.1', family: 4 },
          { address: 'fd00:ec2::254', family: 6 },
        ]),
      )('service', { all: true }, (error, addresses) =>
        done(error ?? (addresses as { address: string }[]).map(({ address }) => address)),
      ),
    )
  expect(await resolved('http:')).toEqual(['127.0.0.1'])
  expect(await resolved('http:', true)).toEqual(['192.168.1.9', '127.0.0.1'])
  expect(await resolved('https:')).toEqual(['192.168.1.9', '127.0.0.1'])
})
