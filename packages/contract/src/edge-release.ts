import * as z from 'zod/mini'
import { wholeNumber } from './collection.ts'

/*
 * A release of the agent: the facts of its file, signed by the installation with Ed25519 (decision record 146). What is
 * signed is the exact text, after the purpose and a line end, so that a signature fits no other kind of text.
 */

/** First line of each signed text, by its kind. */
export const edgeSignaturePurposes = {
  manifest: 'pult edge agent manifest 1\n',
  key: 'pult edge agent key 1\n',
} as const

/** Bytes of an agent's file. */
export const edgeAgentMax = 1_500_000

const protocolNumber = wholeNumber(0, Number.MAX_SAFE_INTEGER)

/** The first 16 bytes of the SHA-256 of a public key. */
const keyId = z.string().check(z.regex(/^[0-9a-f]{32}$/))

/** An Ed25519 signature or public key (SPKI). */
const bytes = z.string().check(z.regex(/^[\w-]{1,200}$/))

const version = z.string().check(z.regex(/^\d{1,6}\.\d{1,6}\.\d{1,6}$/))

/** The text of a manifest as JSON. */
export const edgeManifest = z.strictObject({
  version,
  /** The oldest version from which an agent may change to this one. */
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

/** The text that announces a new key as JSON, signed by the key before. */
export const edgeKeyAnnouncement = z.strictObject({ previous: keyId, key: bytes })

const signed = (most: number) =>
  z.strictObject({ text: z.string().check(z.maxLength(most)), signature: bytes })

export const edgeRelease = z.object({
  manifest: signed(2000),
  /** The announcements of all keys but the first, oldest first. */
  keys: z.array(signed(1000)).check(z.maxLength(200)),
})
export type EdgeRelease = z.infer<typeof edgeRelease>
