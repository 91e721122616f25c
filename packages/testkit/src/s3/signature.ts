import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/*
 * AWS Signature Version 4, implemented from its documentation, independently of the client:
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-authenticating-requests.html
 */

interface Key {
  accessKey: string
  secretKey: string
  region: string
}

interface Claim {
  credential: string
  signedHeaders: string[]
  signature: string
  /** `20261122T101500Z` */
  time: string
  /** Hash of the body as claimed by the client. */
  payload: string
  /** Lifetime of a presigned address in seconds. */
  expires?: number
}

const longestSkew = 15 * 60_000

const sha256 = (value: string | Buffer) => createHash('sha256').update(value).digest('hex')
const hmac = (key: string | Buffer, value: string) => createHmac('sha256', key).update(value).digest()

/** Encodes all characters except the unreserved ones of RFC 3986. */
const encoded = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)

/** Returns why a request is rejected; undefined if its signature, including all signed headers, is valid. */
export function signatureFault(request: IncomingMessage, body: Buffer, key: Key): string | undefined {
  const url = new URL(request.url ?? '/', 'http://s3')
  const claim = url.searchParams.has('X-Amz-Signature') ? claimOfUrl(url) : claimOfHeader(request)
  if (claim === undefined) return 'AccessDenied'
  if (claim.expires === undefined && claim.payload !== 'UNSIGNED-PAYLOAD' && claim.payload !== sha256(body)) {
    return 'XAmzContentSHA256Mismatch'
  }
  const signedAt = Date.parse(
    claim.time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'),
  )
  const age = Date.now() - signedAt
  if (Number.isNaN(age) || age < -longestSkew) return 'AccessDenied'
  if (age > (claim.expires === undefined ? longestSkew : claim.expires * 1000)) return 'AccessDenied'

  const [accessKey = '', day = '', region = '', service = '', end = ''] = claim.credential.split('/')
  const isKnown =
    accessKey === key.accessKey && region === key.region && service === 's3' && end === 'aws4_request'
  if (!isKnown || !claim.time.startsWith(day) || !claim.signedHeaders.includes('host'))
    return 'InvalidAccessKeyId'

  const headers = claim.signedHeaders.map((name) => {
    const value = request.headers[name]
    return `${name}:${(Array.isArray(value) ? value.join(',') : (value ?? '')).trim().replace(/ +/g, ' ')}\n`
  })
  const query = [...url.searchParams]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .toSorted()
    .join('&')
  const path = url.pathname.split('/').map((part) => encoded(decodeURIComponent(part)))
  const canonical = [
    request.method,
    path.join('/'),
    query,
    headers.join(''),
    claim.signedHeaders.join(';'),
    claim.payload,
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', claim.time, scope, sha256(canonical)].join('\n')
  const signing = hmac(hmac(hmac(hmac(`AWS4${key.secretKey}`, day), region), 's3'), 'aws4_request')
  const expected = Buffer.from(hmac(signing, text).toString('hex'))
  const given = Buffer.from(claim.signature)
  return given.length === expected.length && timingSafeEqual(given, expected)
    ? undefined
    : 'SignatureDoesNotMatch'
}

function claimOfUrl({ searchParams }: URL): Claim | undefined {
  const of = (name: string) => searchParams.get(`X-Amz-${name}`) ?? ''
  if (of('Algorithm') !== 'AWS4-HMAC-SHA256') return undefined
  return {
    credential: of('Credential'),
    signedHeaders: of('SignedHeaders').split(';'),
    signature: of('Signature'),
    time: of('Date'),
    expires: Number(of('Expires')),
    payload: of('Content-Sha256') === '' ? 'UNSIGNED-PAYLOAD' : of('Content-Sha256'),
  }
}

function claimOfHeader({ headers }: IncomingMessage): Claim | undefined {
  const header = headers.authorization ?? ''
  const [, credential, signed, signature] =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]+)$/.exec(header) ?? []
  if (credential === undefined || signed === undefined || signature === undefined) return undefined
  return {
    credential,
    signature,
    signedHeaders: signed.split(';'),
    time: String(headers['x-amz-date'] ?? ''),
    payload: String(headers['x-amz-content-sha256'] ?? ''),
  }
}
