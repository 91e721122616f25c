import { expect, test } from 'vitest'
import { createSecrets, hashToken, newToken } from './secrets.ts'

const secrets = createSecrets('a secret of thirty-two characters')

test('a sealed value can be opened only for the same purpose', () => {
  const sealed = secrets.seal('mail', 'content')
  expect(sealed.toString('latin1')).not.toContain('content')
  expect(secrets.open('mail', sealed)).toBe('content')
  expect(() => secrets.open('otp', sealed)).toThrow()
  expect(() => createSecrets('another secret of thirty-two chars').open('mail', sealed)).toThrow()
})

test('a modified sealed value is detected', () => {
  const sealed = secrets.seal('mail', 'content')
  sealed[sealed.length - 1] = (sealed.at(-1) ?? 0) ^ 1
  expect(() => secrets.open('mail', sealed)).toThrow()
})

test('RULE-28 tokens have 256 random bits, and only their SHA-256 is stored', () => {
  const token = newToken()
  expect(Buffer.from(token, 'base64url')).toHaveLength(32)
  expect(newToken()).not.toBe(token)
  expect(hashToken(token)).toHaveLength(32)
  expect(hashToken(token).toString('base64url')).not.toContain(token)
})
