import * as z from 'zod/mini'
import { done, id, instant, listOf, revision, wholeNumber } from './collection.ts'
import { edgeJobCommand } from './edge-jobs.ts'
import { endpoint } from './endpoint.ts'
import { limits } from './limits.ts'
import { taskType } from './stream-decks.ts'
import { cleanedName } from './text.ts'

/*
 * Keys of Stream Decks that are attached to edges. A key acts for the account that the project's owner has assigned to
 * the deck, with the current grants of that account in the edge's project, once its person has agreed (decision records
 * 175, 176 and 221).
 */

/** One step of a key. */
const edgeDeckStep = z.discriminatedUnion('type', [
  /** Aborts the newest running task of a kind. Starting tasks needs a recent sign-in, which a deck cannot provide. */
  z.strictObject({ type: z.literal('abort'), task: taskType }),
  /** Starts a job for the edges of a group, or for the deck's edge if the group is null. */
  z.strictObject({ type: z.literal('job'), command: edgeJobCommand, group: z.nullable(id) }),
  /** Shows another page. The agent executes this step alone, even without a connection to the server. */
  z.strictObject({ type: z.literal('page'), page: wholeNumber(0, limits.edgeDeckPagesMax - 1) }),
])
export type EdgeDeckStep = z.infer<typeof edgeDeckStep>

/** Steps run in order until one fails. */
const steps = z.array(edgeDeckStep).check(
  z.maxLength(limits.edgeDeckStepsMax),
  z.refine(
    (value) => value.length < 2 || value.every(({ type }) => type !== 'page'),
    'Must not combine a page change with other steps',
  ),
)

const edgeDeckKey = z.strictObject({
  /** Index of the key, from 0 at the top left, row by row. */
  key: wholeNumber(0, limits.deckKeys - 1),
  label: cleanedName(limits.deckLabelMax, { min: 0 }),
  press: steps,
  /** Steps for a key that is held for half a second. */
  hold: steps,
})
export type EdgeDeckKey = z.infer<typeof edgeDeckKey>

export const edgeDeckKeys = z.array(edgeDeckKey).check(
  z.maxLength(limits.deckKeys),
  z.refine((value) => new Set(value.map(({ key }) => key)).size === value.length, 'Must not repeat a key'),
)

const edgeDeckSettings = z.object({
  /** Account for which the keys act; if null, the server rejects all presses. */
  account: z.nullable(z.object({ _id: id, name: z.string() })),
  /** Since when the keys may act for this account; null while its person has not agreed. */
  agreedAt: z._default(z.nullable(instant), null),
  /** Whether the server rejects all presses. */
  isLocked: z.boolean(),
  /** Only pages that have keys. */
  pages: z.array(
    z.object({ page: z.number(), keys: z.array(z.object({ ...edgeDeckKey.shape, label: z.string() })) }),
  ),
  /** Revision of the edge. */
  revision,
})
export type EdgeDeckSettings = z.infer<typeof edgeDeckSettings>

const deckPath = '/projects/:projectId/edges/:edgeId/decks/:serial'
const seen = ['UNAUTHENTICATED', 'NOT_FOUND', 'FORBIDDEN'] as const
const owned = [...seen, 'REVISION_CONFLICT', 'RECENT_SIGN_IN_NEEDED'] as const

/** Reading needs the role `edges` of the project. Only the project's owner and root can make changes. */
export const edgeDeckEndpoints = {
  read: endpoint('GET', `${deckPath}/keys`, {
    summary: 'Returns the keys of a Stream Deck at an edge and the account for which they act.',
    reply: edgeDeckSettings,
    errors: [...seen],
  }),
  update: endpoint('PUT', `${deckPath}/keys`, {
    summary:
      'Assigns a member of the project to a deck, for whom it acts after that member has agreed, or locks the deck.',
    body: z.strictObject({ account: z.optional(z.nullable(id)), isLocked: z.optional(z.boolean()) }),
    reply: edgeDeckSettings,
    errors: [...owned, 'UNKNOWN_PERSON'],
  }),
  setPage: endpoint('PUT', `${deckPath}/pages/:page`, {
    summary: 'Replaces the keys of one page; an empty list removes the page.',
    body: z.strictObject({
      keys: edgeDeckKeys,
      /** Labels as a transparent picture of the whole deck, PNG or WebP in base64. */
      face: z.nullable(
        z.string().check(z.maxLength(limits.edgeDeckFaceMax), z.regex(/^[A-Za-z0-9+/]+={0,2}$/)),
      ),
    }),
    reply: edgeDeckSettings,
    errors: [...owned, 'CONTENT_MISMATCH', 'IMAGE_TOO_LARGE'],
  }),
}

const ownDeck = z.object({
  project: z.object({ _id: id, label: z.string() }),
  edge: z.object({ _id: id, label: z.string() }),
  serial: z.string(),
  /** Since when the deck acts for the caller; null while the caller has not agreed. */
  agreedAt: z.nullable(instant),
})
export type OwnEdgeDeck = z.infer<typeof ownDeck>

const ownDecksPath = '/me/edge-decks'
const ownDeckPath = `${ownDecksPath}/:edgeId/:serial`

/** Decks at edges that act for the caller, or would act after the caller's agreement. */
export const ownEdgeDeckEndpoints = {
  list: endpoint('GET', ownDecksPath, {
    summary: 'Lists the Stream Decks at edges that are assigned to the caller.',
    reply: listOf(ownDeck),
    errors: ['UNAUTHENTICATED'],
  }),
  agree: endpoint('POST', ownDeckPath, {
    summary:
      'Permits a deck to act for the caller until the caller withdraws, is disabled, or is no longer a member of the project.',
    reply: done,
    errors: ['UNAUTHENTICATED', 'NOT_FOUND', 'RECENT_SIGN_IN_NEEDED'],
  }),
  withdraw: endpoint('DELETE', ownDeckPath, {
    summary: 'Removes the caller as the account of a deck.',
    reply: done,
    errors: ['UNAUTHENTICATED', 'NOT_FOUND'],
  }),
}
