import { apiBase } from '@pult/contract'
import { expect, test } from 'vitest'
import { bareServer } from './testing/bare-server.ts'

const styleHash = "'sha256-gYiS/BvZvRcK27JIXTuwhZ3hs2+VJ1X+2gUlE+farlg='"

/** Returns the headers of an answer with any status, because they are set before routing. */
async function headersOf(path: string, publicUrl = 'http://localhost') {
  const app = bareServer({ publicUrl, styleHashes: [styleHash] })
  app.get(`${apiBase}/me`, { config: { permission: 'anyone' } }, async () => ({ email: 'ada@example.org' }))
  return (await app.inject(path)).headers
}

const directivesOf = (policy: unknown) => String(policy).split(';').toSorted()

const documentPolicy = [
  "base-uri 'none'",
  "connect-src 'self'",
  "default-src 'none'",
  "font-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "img-src 'self' data: blob:",
  "manifest-src 'self'",
  "media-src 'self'",
  "object-src 'none'",
  "require-trusted-types-for 'script'",
  "script-src 'self'",
  `style-src 'self' ${styleHash}`,
  'trusted-types pult',
  "worker-src 'self'",
]

test.each(['/', '/me/emails', '/sw.js', '/assets/none.js', '/api', '/apiary', `${apiBase}/docs`])(
  'RULE-75 %s gets exactly the strict policy',
  async (path) => {
    const headers = await headersOf(path)
    expect(directivesOf(headers['content-security-policy'])).toEqual(documentPolicy)
    expect(headers).toMatchObject({
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    })
    expect(headers).not.toHaveProperty('strict-transport-security')
    // Decision record 23: it would cost one more process.
    expect(headers).not.toHaveProperty('origin-agent-cluster')
  },
)

test('RULE-75 a document may use passkeys and decks, but no camera, location, sound, payment or serial port', async () => {
  const policy = String((await headersOf('/'))['permissions-policy'])
  expect(policy.split(', ').toSorted()).toEqual([
    'camera=()',
    'geolocation=()',
    'hid=(self)',
    'microphone=()',
    'payment=()',
    'publickey-credentials-create=(self)',
    'publickey-credentials-get=(self)',
    'usb=()',
  ])
})

test('RULE-34 RULE-75 answers for programs allow nothing and are not stored', async () => {
  const headers = await headersOf(`${apiBase}/me`)
  expect(directivesOf(headers['content-security-policy'])).toEqual([
    "default-src 'none'",
    "frame-ancestors 'none'",
  ])
  expect(headers).toMatchObject({
    'cache-control': 'no-store',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  })
})

test('RULE-75 HSTS is sent only with a public URL of https', async () => {
  for (const path of ['/', `${apiBase}/me`]) {
    const headers = await headersOf(path, 'https://pult.example.org')
    expect(headers['strict-transport-security']).toBe('max-age=31536000')
  }
  const secured = await headersOf('/', 'https://pult.example.org')
  expect(directivesOf(secured['content-security-policy'])).toEqual(
    [...documentPolicy, 'upgrade-insecure-requests'].toSorted(),
  )
})
