import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hash,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'

/** 256 random bits as 43 URL-safe characters. */
export const newToken = () => randomBytes(32).toString('base64url')

/** Returns the stored hash of a token. Tokens are random, so a plain hash cannot be reversed by guessing. */
export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer')

const ivLength = 12
const tagLength = 16

/**
 * Encrypts values that the database must not reveal, with keys derived from the installation's secret, one per
 * purpose. AES-256-GCM; layout: 12 bytes of nonce, 16 of tag, ciphertext.
 */
export function createSecrets(secret: string) {
  const keys = new Map<string, Buffer>()
  function keyFor(purpose: string): Buffer {
    const key = keys.get(purpose) ?? Buffer.from(hkdfSync('sha256', secret, 'pult', purpose, 32))
    keys.set(purpose, key)
    return key
  }
  const keyCheck = keyFor('key check')

  return {
    seal(purpose: string, plaintext: string): Buffer {
      const iv = randomBytes(ivLength)
      const cipher = createCipheriv('aes-256-gcm', keyFor(purpose), iv)
      const ciphertext = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), ciphertext])
    },

    open(purpose: string, sealed: Buffer): string {
      const decipher = createDecipheriv('aes-256-gcm', keyFor(purpose), sealed.subarray(0, ivLength), {
        authTagLength: tagLength,
      })
      decipher.setAuthTag(sealed.subarray(ivLength, ivLength + tagLength))
      return (
        decipher.update(sealed.subarray(ivLength + tagLength), undefined, 'utf8') + decipher.final('utf8')
      )
    },

    /** A keyed hash, for keys that must not reveal their origin, such as attempted usernames. */
    fingerprint: (purpose: string, value: string) =>
      createHash('sha256').update(keyFor(purpose)).update(value).digest('base64url'),

    /** A signature that only this installation can create, for example of a URL that it has issued. */
    mac: (purpose: string, value: string) =>
      createHmac('sha256', keyFor(purpose)).update(value).digest('base64url'),

    /** Stored once, to detect a node that starts with a different secret. */
    keyCheck: () => keyCheck,
    matches: (stored: Buffer) => stored.length === keyCheck.length && timingSafeEqual(stored, keyCheck),
  }
}
export type Secrets = ReturnType<typeof createSecrets>
