import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'
import { isIP } from 'node:net'

/** DER: a tag, the length, the content. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
const sequence = (...parts: readonly Buffer[]) => der(0x30, ...parts)
const bits = (content: Buffer) => der(0x03, Buffer.from([0]), content)
const utcTime = (year: number) => der(0x17, Buffer.from(`${String(year % 100).padStart(2, '0')}0101000000Z`))

const ecdsaWithSha256 = sequence(der(0x06, Buffer.from('2a8648ce3d040302', 'hex')))
const commonName = der(0x06, Buffer.from('550403', 'hex'))
const basicConstraints = der(0x06, Buffer.from('551d13', 'hex'))
const yes = der(0x01, Buffer.from([255]))
const subjectAltName = der(0x06, Buffer.from('551d11', 'hex'))

interface Certified {
  key: string
  certificate: string
}

interface CertificateOptions {
  /** The years of its validity, from 1 January to 1 January; by default it is valid now. */
  years?: readonly [from: number, until: number]
  /** Whether it may sign others. */
  isAuthority?: boolean
  /** The authority that signs it; by default it signs itself. */
  issuer?: Certified & { host: string }
}

/** A key and a certificate for one host name or IPv4 address, as PEM. RFC 5280, section 4.1. */
export function certificateFor(
  host: string,
  { years, isAuthority = false, issuer }: CertificateOptions = {},
): Certified {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const nameOf = (text: string) => sequence(der(0x31, sequence(commonName, der(0x0c, Buffer.from(text)))))
  const signer = issuer === undefined ? privateKey : createPrivateKey(issuer.key)
  const altName =
    isIP(host) === 0 ? der(0x82, Buffer.from(host)) : der(0x87, Buffer.from(host.split('.').map(Number)))
  const year = new Date().getUTCFullYear()
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    nameOf(issuer?.host ?? host),
    sequence(utcTime(years?.[0] ?? year - 1), utcTime(years?.[1] ?? year + 2)),
    nameOf(host),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(
      0xa3,
      sequence(
        sequence(subjectAltName, der(0x04, sequence(altName))),
        ...(isAuthority ? [sequence(basicConstraints, der(0x04, sequence(yes)))] : []),
      ),
    ),
  )
  const signed = sequence(content, ecdsaWithSha256, bits(sign('sha256', content, signer)))
  const lines = signed.toString('base64').replace(/.{64}/g, '$&\n')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  }
}
