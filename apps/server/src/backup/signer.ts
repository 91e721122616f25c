import { createPrivateKey, createPublicKey, hash, sign, verify } from 'node:crypto'
import { createSecrets } from '#platform/secrets.ts'

/*
 * Each backup is signed with Ed25519, because the encryption proves nothing: anyone can encrypt to a public key. The
 * signing key derives from the installation's secret. Its fingerprint is on the emergency sheet, so that a new machine
 * recognises the backups of the installation.
 */

const prefix = 'PULT-SIGNER-'
const signerPattern = /PULT-SIGNER-[0-9A-F]{32}/

/** The DER of an Ed25519 key before its 32 bytes: https://www.rfc-editor.org/rfc/rfc8410 */
const privateHead = Buffer.from('302e020100300506032b657004220420', 'hex')
const publicHead = Buffer.from('302a300506032b6570032100', 'hex')
const keyLength = 32

export interface Signer {
  /** Identifies the key that signs. It is not secret. */
  fingerprint: string
  sign(message: string): Buffer
}

/** Returns the signer of the installation with this secret. */
export function createSigner(secret: string): Signer {
  const seed = Buffer.from(createSecrets(secret).mac('backup signer', 'ed25519'), 'base64url')
  const key = createPrivateKey({ key: Buffer.concat([privateHead, seed]), format: 'der', type: 'pkcs8' })
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(publicHead.length)
  return {
    fingerprint: fingerprintOf(publicKey),
    // The public key comes first, because the fingerprint is too short to contain it.
    sign: (message) => Buffer.concat([publicKey, sign(null, Buffer.from(message), key)]),
  }
}

const fingerprintOf = (publicKey: Buffer) => prefix + hash('sha256', publicKey).slice(0, 32).toUpperCase()

/** Returns whether the signer with this fingerprint has signed the message. */
export function isSignedBy(fingerprint: string, message: string, signature: Buffer): boolean {
  const publicKey = signature.subarray(0, keyLength)
  if (publicKey.length < keyLength || fingerprintOf(publicKey) !== fingerprint) return false
  const key = createPublicKey({ key: Buffer.concat([publicHead, publicKey]), format: 'der', type: 'spki' })
  return verify(null, Buffer.from(message), key, signature.subarray(keyLength))
}

/** Returns the fingerprint in a text, such as a key file or the emergency sheet. */
export const signerIn = (text: string): string | undefined => signerPattern.exec(text)?.[0]

/** The backup was not made by the installation with the expected signer. */
export class ForeignBackup extends Error {
  override readonly name = 'ForeignBackup'
  constructor(path: string) {
    super(
      `${path} is not signed by this installation: another installation or program made the backup, or Pult before it signed backups. On another machine, the line PULT-SIGNER-… of the emergency sheet is needed with the private key`,
    )
  }
}
