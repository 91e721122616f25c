import * as z from 'zod/mini'
import { id, numberBetween, wholeNumber } from './collection.ts'
import { deckSerial } from './deck-serial.ts'
import { endpoint } from './endpoint.ts'
import { limits } from './limits.ts'
import { settingsState } from './settings.ts'
import { cleanedName, longText } from './text.ts'

/*
 * A user's Stream Decks: brightness, display, serials by slot, and key actions. Slots are numbered from 0. All decks of
 * a slot have the same display and actions.
 */

export const streamDeckErrors = {
  DECK_IN_TWO_SLOTS: { status: 400, message: 'A deck can be in one slot only' },
  KEY_WITHOUT_ACTION: { status: 404, message: 'This key has no action' },
  DECK_LOCKED: { status: 403, message: 'The deck is locked' },
  NOTHING_TO_ABORT: { status: 409, message: 'No such task is running' },
} as const

/** Icons of keys, by their lucide names. */
export const deckIcons = [
  'play',
  'square',
  'download',
  'upload',
  'gauge',
  'server',
  'hard-drive',
  'activity',
  'bell',
  'camera',
  'clock',
  'cloud',
  'eye',
  'flag',
  'folder',
  'house',
  'info',
  'layers',
  'lightbulb',
  'lock',
  'mic',
  'monitor',
  'headphones',
  'power',
  'radio',
  'refresh-cw',
  'settings',
  'star',
  'terminal',
  'users',
  'video',
  'zap',
] as const
export type DeckIcon = (typeof deckIcons)[number]

const slot = wholeNumber(0, limits.deckSlots - 1)
const key = wholeNumber(0, limits.deckKeys - 1)
const name = z.string().check(z.regex(/^[a-z][a-z0-9-]{0,49}$/))
/** A type of task: `project-export`, or `{extension}/{kind}`. */
export const taskType = z.string().check(z.regex(/^[a-z][a-z0-9-]{0,49}(?:\/[a-z][a-z0-9-]{0,49})?$/))

/** Action of a pressed key. */
const deckAction = z.discriminatedUnion('type', [
  /** Opens an app of the project, or a root app if the project is null. */
  z.strictObject({ type: z.literal('app'), app: name, project: z.nullable(id) }),
  /** Starts a task, aborts the newest running one, or shows its progress and opens it. */
  z.strictObject({
    type: z.literal('task'),
    verb: z.enum(['start', 'abort', 'show']),
    task: taskType,
    project: id,
  }),
  /** Shows whether an edge is online, and opens it. */
  z.strictObject({ type: z.literal('edge'), edge: id, project: id }),
  /**
   * Restarts an instance that is assigned to the project. As in a selection of `EdgeInstanceSelect`, `edge` is the id
   * of the instance and `edgeId` the id of its edge.
   */
  z.strictObject({ type: z.literal('instance'), edge: id, edgeId: id, project: id }),
  /** Opens a page of this console: `/projects?search=hall`. */
  z.strictObject({
    type: z.literal('url'),
    url: z
      .string()
      .check(z.maxLength(500), z.regex(/^\/(?![/\\])[^\s\\\p{Cc}]*$/u, 'Must be a path of this console')),
  }),
])
export type DeckAction = z.infer<typeof deckAction>

const keyFace = {
  /** If empty, the key shows only the icon. */
  label: cleanedName(limits.deckLabelMax, { min: 0 }),
  icon: z.nullable(z.enum(deckIcons)),
  action: z.nullable(deckAction),
} as const

const deckKey = z.strictObject({ slot, key, ...keyFace })
export type DeckKey = z.infer<typeof deckKey>

/** Serials of the decks by index of the slot. */
const mapping = z.record(
  z.string().check(z.regex(/^(?:\d|1[0-5])$/, 'Must be a slot from 0 to 15')),
  z.array(deckSerial).check(z.maxLength(limits.decksOfSlot)),
)

const wallpaper = z.discriminatedUnion('type', [
  z.object({ type: z.literal('file'), file: id, name: z.string() }),
  z.object({ type: z.literal('medium'), medium: id, project: id }),
])
export type DeckWallpaper = z.infer<typeof wallpaper>

const streamDecks = z.object({
  /** From 0 to 1 in steps of 0.02. */
  brightness: z.number(),
  /** Address for `<img>`, valid for an hour; null without a wallpaper, or if the caller may not see it. */
  wallpaperSrc: z.nullable(z.string()),
  /** Source of the wallpaper. */
  wallpaper: z.nullable(wallpaper),
  /** Shown over the whole deck. */
  wallpaperText: z.string(),
  mapping: z.record(z.string(), z.array(z.string())),
  /** Keys, sorted by slot and key. */
  keys: z.array(z.object({ slot: z.number(), key: z.number(), ...keyFace, label: z.string() })),
  ...settingsState,
})
export type StreamDecks = z.infer<typeof streamDecks>

const change = z.strictObject({
  brightness: z.optional(
    numberBetween(0, 1).check(
      z.refine((value) => Math.abs(value * 50 - Math.round(value * 50)) < 1e-9, 'Must be a step of 0.02'),
    ),
  ),
  /** An upload of the caller (`filename` of its ticket), or a picture of a project's media; null removes it. */
  wallpaper: z.optional(
    z.nullable(
      z.discriminatedUnion('type', [
        z.strictObject({
          type: z.literal('file'),
          filename: z.string().check(z.minLength(1), z.maxLength(200)),
        }),
        z.strictObject({ type: z.literal('medium'), medium: id, project: id }),
      ]),
    ),
  ),
  wallpaperText: z.optional(longText(limits.wallpaperTextMax, z.regex(/^[\P{Cc}\n]*$/u))),
  /** Replaces the whole mapping: omitted serials are in no slot. The server rejects a serial in two slots. */
  mapping: z.optional(mapping),
  /** Changed keys. A key without label, icon and action becomes empty. */
  keys: z.optional(z.array(deckKey).check(z.maxLength(limits.deckKeys))),
})

export const streamDeckEndpoints = {
  read: endpoint('GET', '/me/stream-decks', {
    summary: 'Returns the settings of the caller’s Stream Decks.',
    reply: streamDecks,
    errors: ['UNAUTHENTICATED'],
  }),
  update: endpoint('PUT', '/me/stream-decks', {
    summary: 'Changes the given settings; If-Match detects concurrent changes.',
    body: change,
    reply: streamDecks,
    errors: [
      'UNAUTHENTICATED',
      'NOT_FOUND',
      'REVISION_CONFLICT',
      'DECK_IN_TWO_SLOTS',
      'UPLOAD_INCOMPLETE',
      'NOT_MEDIA',
    ],
  }),
  press: endpoint('POST', '/me/stream-decks/keys/press', {
    summary:
      'Executes the action of a key with the permissions of the caller, and returns the path that the console opens.',
    body: z.strictObject({ slot, key }),
    reply: z.object({
      /** Path that the console opens; null if there is nothing to open. */
      open: z.nullable(z.string()),
      /** Project of the path. */
      project: z.nullable(id),
      /** The task that was started or aborted. */
      task: z.nullable(id),
    }),
    errors: [
      'UNAUTHENTICATED',
      'NOT_FOUND',
      'FORBIDDEN',
      'KEY_WITHOUT_ACTION',
      'NOTHING_TO_ABORT',
      'UNKNOWN_TASK_TYPE',
      'TOO_MANY_TASKS',
      'EDGE_OFFLINE',
      'EDGE_CANNOT',
    ],
  }),
}
