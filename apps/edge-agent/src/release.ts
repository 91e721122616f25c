import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'
import {
  commonEdgeProtocol,
  type EdgeManifest,
  edgeKeyAnnouncement,
  edgeManifest,
  edgeRelease,
  edgeSignaturePurposes,
} from '@pult/contract'

/** A release with valid signatures. */
export interface VerifiedRelease {
  manifest: EdgeManifest
  /** The newest key of the installation, which replaces the pinned one. */
  key: string
}

const keyIdOf = (key: string) =>
  createHash('sha256').update(Buffer.from(key, 'base64url')).digest('hex').slice(0, 32)

/** Verifies that a release descends from the pinned key. @throws {Error} with the reason. */
export function verifyRelease(untrusted: unknown, pinned: string): VerifiedRelease {
  const { manifest: signed, keys } = edgeRelease.parse(untrusted)
  let key = pinned
  // Skip announcements that are older than the pinned key.
  for (const { text, signature } of keys) {
    const announcement = edgeKeyAnnouncement.parse(JSON.parse(text))
    if (announcement.previous !== keyIdOf(key)) continue
    if (!isSigned(edgeSignaturePurposes.key, text, signature, key))
      throw new Error('The new key is not signed by the previous key')
    key = announcement.key
  }
  if (!isSigned(edgeSignaturePurposes.manifest, signed.text, signed.signature, key))
    throw new Error('The release is not signed by the key of this installation')
  const manifest = edgeManifest.parse(JSON.parse(signed.text))
  if (manifest.keyId !== keyIdOf(key)) throw new Error('The release names a different key')
  return { manifest, key }
}

/**
 * Rejects a release that is not newer than the running version, that needs a later one first, or that has no protocol
 * in common with this agent.
 *
 * @throws {Error} with the reason.
 */
export function checkFollows(manifest: EdgeManifest, running: string): void {
  if (compareVersions(manifest.version, running) <= 0)
    throw new Error(`Version ${manifest.version} is not newer than ${running}`)
  if (compareVersions(running, manifest.minimum) < 0)
    throw new Error(`Version ${manifest.version} can be installed only over ${manifest.minimum} or later`)
  if (commonEdgeProtocol(manifest.protocols) === undefined)
    throw new Error(`Version ${manifest.version} has no protocol in common with this agent`)
}

/** @throws {Error} if the file does not match the manifest. */
export function checkFile({ size, sha256 }: EdgeManifest, file: Buffer): void {
  if (file.length !== size) throw new Error(`The file has ${file.length} bytes instead of ${size}`)
  if (createHash('sha256').update(file).digest('hex') !== sha256)
    throw new Error('The file does not match the release')
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

/** Accepts only Ed25519 keys. Node would verify a signature by the algorithm of the key. */
function ed25519(key: string): KeyObject {
  const publicKey = createPublicKey({ key: Buffer.from(key, 'base64url'), format: 'der', type: 'spki' })
  if (publicKey.asymmetricKeyType !== 'ed25519') throw new Error('The key is not an Ed25519 key')
  return publicKey
}
