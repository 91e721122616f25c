import * as z from 'zod/mini'
import { wholeNumber } from './collection.ts'

/*
 * A release of the agent: a manifest of its file, signed by the installation with Ed25519 (decision record 146). The
 * signature covers the purpose, a line end and the exact text, so that it is valid for no other kind of text.
 */

/** First line of a signed text, by its kind. */
export const edgeSignaturePurposes = {
  manifest: 'pult edge agent manifest 1\n',
  key: 'pult edge agent key 1\n',
} as const

/** Maximum size of the agent's file in bytes. */
export const edgeAgentMax = 1_500_000

const protocolNumber = wholeNumber(0, Number.MAX_SAFE_INTEGER)

/** The first 16 bytes of the SHA-256 of a public key. */
const keyId = z.string().check(z.regex(/^[0-9a-f]{32}$/))

/** An Ed25519 signature or public key (SPKI). */
const bytes = z.string().check(z.regex(/^[\w-]{1,200}$/))

const version = z.string().check(z.regex(/^\d{1,6}\.\d{1,6}\.\d{1,6}$/))

/** Signed JSON text of a manifest. */
export const edgeManifest = z.strictObject({
  version,
  /** The oldest version that may update to this one. */
  minimum: version,
  protocols: z
    .strictObject({ min: protocolNumber, max: protocolNumber })
    .check(z.refine(({ min, max }) => min <= max, 'Must be a range')),
  sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  size: wholeNumber(1, edgeAgentMax),
  created: z.string().check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/)),
  /** Id of the key that signs this text. */
  keyId,
})
export type EdgeManifest = z.infer<typeof edgeManifest>

/** Signed JSON text that announces a new key, signed with the previous key. */
export const edgeKeyAnnouncement = z.strictObject({ previous: keyId, key: bytes })

const signed = (most: number) =>
  z.strictObject({ text: z.string().check(z.maxLength(most)), signature: bytes })

export const edgeRelease = z.object({
  manifest: signed(2000),
  /** Announcements of all keys except the first, oldest first. */
  keys: z.array(signed(1000)).check(z.maxLength(200)),
})
export type EdgeRelease = z.infer<typeof edgeRelease>
