import { hash, webcrypto } from 'node:crypto'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'

/*
 * Encryption with age, to a recipient whose private key is not on the server: https://age-encryption.org/v1
 */

const firstLine = 'age-encryption.org/v1\n'
const readAtOnce = 256 * 1024

/** The DOM's types and those of Node describe the same streams. */
type WebStream = Parameters<Encrypter['encrypt']>[0] & ReadableStream<Uint8Array>

export async function makeKey(): Promise<{ identity: string; recipient: string }> {
  const identity = await generateX25519Identity()
  return { identity, recipient: await identityToRecipient(identity) }
}

/** The DER of an X25519 key before its 32 bytes: https://www.rfc-editor.org/rfc/rfc8410 */
const privateHead = Buffer.from('302e020100300506032b656e04220420', 'hex')

/** A private key as the type of the DOM, which the library expects, and that of Node describe it. */
type PrivateKey = webcrypto.CryptoKey & { readonly usages: 'deriveBits'[] }

/** Returns the key pair whose private key is these 32 bytes as base64url. */
export async function keyFrom(seed: string): Promise<{ identity: PrivateKey; recipient: string }> {
  const der = Buffer.concat([privateHead, Buffer.from(seed, 'base64url')])
  const key = await webcrypto.subtle.importKey('pkcs8', der, { name: 'X25519' }, false, ['deriveBits'])
  const identity = key as PrivateKey
  return { identity, recipient: await identityToRecipient(identity) }
}

/** Returns the first private key in a text, such as a key file or the emergency sheet. */
export const identityIn = (text: string): string | undefined => /AGE-SECRET-KEY-1[0-9A-Z]{58}/.exec(text)?.[0]

/** Encrypts so that each of the recipients can read it; without recipients, the content is not encrypted. */
export async function encrypted(
  content: AsyncIterable<Uint8Array>,
  recipients: readonly string[],
): Promise<Readable> {
  const plain = Readable.from(content, { objectMode: false, highWaterMark: readAtOnce })
  if (recipients.length === 0) return plain
  const encrypter = new Encrypter()
  for (const recipient of recipients) encrypter.addRecipient(recipient)
  return Readable.fromWeb((await encrypter.encrypt(Readable.toWeb(plain) as WebStream)) as WebStream)
}

/** Distinguishes files of different keys: another key cannot open them. */
export const suffixFor = (recipient: string | undefined) =>
  recipient === undefined ? '' : `.${hash('sha256', recipient).slice(0, 16)}.age`

/** Throws if the text is not a recipient. */
export function checkRecipient(recipient: string): void {
  new Encrypter().addRecipient(recipient)
}

/** The content is encrypted to another key. */
export class WrongKey extends Error {
  override readonly name = 'WrongKey'
}

/** Reads content that may be encrypted. Rejects a wrong or missing private key immediately. `path` is for messages. */
export async function decrypted(
  content: Readable,
  identity: string | PrivateKey | undefined,
  path: string,
): Promise<Readable> {
  const { hasAge, whole } = await examined(content)
  if (!hasAge) return whole
  if (identity === undefined) {
    content.destroy()
    throw new WrongKey('the backup is encrypted: its private key is needed, for example --identity FILE')
  }
  const decrypter = new Decrypter()
  try {
    decrypter.addIdentity(identity)
  } catch (cause) {
    content.destroy()
    throw new WrongKey('the private key has a typing error: compare it with the emergency sheet', { cause })
  }
  try {
    return Readable.fromWeb((await decrypter.decrypt(Readable.toWeb(whole) as WebStream)) as WebStream)
  } catch (cause) {
    content.destroy()
    if (cause instanceof Error && /no identity matched/.test(cause.message))
      throw new WrongKey('the private key does not belong to this backup', { cause })
    throw new Error(`${path} is damaged: its encryption cannot be read`, { cause })
  }
}

/** Reads as much as the first line needs, and returns the stream from its start. */
async function examined(content: Readable): Promise<{ hasAge: boolean; whole: Readable }> {
  const chunks = (content as AsyncIterable<Buffer>)[Symbol.asyncIterator]()
  const head: Buffer[] = []
  let size = 0
  while (size < firstLine.length) {
    const next = await chunks.next()
    if (next.done === true) break
    head.push(next.value)
    size += next.value.length
  }
  const start = Buffer.concat(head)
  async function* whole() {
    try {
      yield start
      for (;;) {
        const next = await chunks.next()
        if (next.done === true) return
        yield next.value
      }
    } finally {
      content.destroy()
    }
  }
  return {
    hasAge: start.subarray(0, firstLine.length).toString('latin1') === firstLine,
    whole: Readable.from(whole(), { objectMode: false, highWaterMark: readAtOnce }),
  }
}

/** Returns whether the content is encrypted, from its first bytes. Destroys the stream. */
export async function isEncrypted(content: Readable): Promise<boolean> {
  const { hasAge } = await examined(content)
  content.destroy()
  return hasAge
}
