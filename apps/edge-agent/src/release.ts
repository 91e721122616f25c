import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'
import {
  commonEdgeProtocol,
  type EdgeManifest,
  edgeKeyAnnouncement,
  edgeManifest,
  edgeRelease,
  edgeSignaturePurposes,
} from '@pult/contract'

/** A release whose signatures hold. */
export interface VerifiedRelease {
  manifest: EdgeManifest
  /** The newest key of the installation, to be pinned from now on. */
  key: string
}

const keyIdOf = (key: string) =>
  createHash('sha256').update(Buffer.from(key, 'base64url')).digest('hex').slice(0, 32)

/** Verifies that a release descends from the pinned key. @throws {Error} with the reason. */
export function verifyRelease(untrusted: unknown, pinned: string): VerifiedRelease {
  const { manifest: signed, keys } = edgeRelease.parse(untrusted)
  let key = pinned
  // Announcements before the pinned key belong to its past.
  for (const { text, signature } of keys) {
    const announcement = edgeKeyAnnouncement.parse(JSON.parse(text))
    if (announcement.previous !== keyIdOf(key)) continue
    if (!isSigned(edgeSignaturePurposes.key, text, signature, key))
      throw new Error('The new key is not signed by the one before')
    key = announcement.key
  }
  if (!isSigned(edgeSignaturePurposes.manifest, signed.text, signed.signature, key))
    throw new Error('The release is not signed by the key of this installation')
  const manifest = edgeManifest.parse(JSON.parse(signed.text))
  if (manifest.keyId !== keyIdOf(key)) throw new Error('The release names another key')
  return { manifest, key }
}

/**
 * Rejects a release that does not follow the running version, or that is older than one seen before.
 *
 * @throws {Error} with the reason.
 */
export function checkFollows(manifest: EdgeManifest, running: string): void {
  if (compareVersions(manifest.version, running) <= 0)
    throw new Error(`Version ${manifest.version} does not follow ${running}`)
  if (compareVersions(running, manifest.minimum) < 0)
    throw new Error(`Version ${manifest.version} needs at least ${manifest.minimum}`)
  if (commonEdgeProtocol(manifest.protocols) === undefined)
    throw new Error(`Version ${manifest.version} has no protocol in common with this agent`)
}

/** @throws {Error} for a file that is not the one of the manifest. */
export function checkFile({ size, sha256 }: EdgeManifest, file: Buffer): void {
  if (file.length !== size) throw new Error(`The file has ${file.length} bytes instead of ${size}`)
  if (createHash('sha256').update(file).digest('hex') !== sha256)
    throw new Error('The file is not that of the release')
}

export function compareVersions(one: string, other: string): number {
  const [left, right] = [one, other].map((version) => version.split('.').map(Number))
  for (let index = 0; index < 3; index += 1) {
    const difference = (left?.[index] ?? 0) - (right?.[index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

function isSigned(purpose: string, text: string, signature: string, key: string): boolean {
  const publicKey = ed25519(key)
  return verify(null, Buffer.from(purpose + text), publicKey, Buffer.from(signature, 'base64url'))
}

/** A key of another algorithm would be verified by another rule. */
function ed25519(key: string): KeyObject {
  const publicKey = createPublicKey({ key: Buffer.from(key, 'base64url'), format: 'der', type: 'spki' })
  if (publicKey.asymmetricKeyType !== 'ed25519') throw new Error('The key is not of Ed25519')
  return publicKey
}
