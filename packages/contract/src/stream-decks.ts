import * as z from 'zod/mini'
import { id, numberBetween, wholeNumber } from './collection.ts'
import { endpoint } from './endpoint.ts'
import { limits } from './limits.ts'
import { settingsState } from './settings.ts'

/*
 * A person's Stream Decks: brightness, display, serials by slot, and key actions. A slot is a place on the desk,
 * counted from 0. All decks whose serials it lists show and do the same.
 */

export const streamDeckErrors = {
  DECK_IN_TWO_SLOTS: { status: 400, message: 'A deck can be in one slot only' },
  KEY_WITHOUT_ACTION: { status: 404, message: 'This key has no action' },
  DECK_LOCKED: { status: 403, message: 'The deck is locked' },
  NOTHING_TO_ABORT: { status: 409, message: 'No such task is running' },
} as const

/** The icons that a key can show: names of lucide icons. */
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
/** A kind of task, as tasks name it: `project-export`. */
export const taskType = z.string().check(z.regex(/^[a-z][a-z0-9-]{0,49}(?:\/[a-z][a-z0-9-]{0,49})?$/))

/** What pressing a key does. */
const deckAction = z.discriminatedUnion('type', [
  /** Opens an app of the project, or a root app if the project is null. */
  z.strictObject({ type: z.literal('app'), app: name, project: z.nullable(id) }),
  /** Starts a task, aborts the newest one that runs, or shows how far it is and opens it. */
  z.strictObject({
    type: z.literal('task'),
    verb: z.enum(['start', 'abort', 'show']),
    task: taskType,
    project: id,
  }),
  /** Shows whether an edge is there, and opens it. */
  z.strictObject({ type: z.literal('edge'), edge: id, project: id }),
  /**
   * Restarts an instance that is assigned to the project. As a selection of `EdgeInstanceSelect`: `edge` is the instance,
   * `edgeId` the edge that it runs on.
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
  /** Empty shows the icon alone. */
  label: z.string().check(z.trim(), z.maxLength(limits.deckLabelMax), z.regex(/^\P{Cc}*$/u)),
  icon: z.nullable(z.enum(deckIcons)),
  action: z.nullable(deckAction),
} as const

const deckKey = z.strictObject({ slot, key, ...keyFace })
export type DeckKey = z.infer<typeof deckKey>

/** Slot by index, each with the serials of its decks. */
const mapping = z.record(
  z.string().check(z.regex(/^(?:\d|1[0-5])$/, 'Must be a slot from 0 to 15')),
  z
    .array(z.string().check(z.regex(/^[A-Za-z0-9-]{1,32}$/, 'Must be a serial number')))
    .check(z.maxLength(limits.decksOfSlot)),
)

const wallpaper = z.discriminatedUnion('type', [
  z.object({ type: z.literal('file'), file: id, name: z.string() }),
  z.object({ type: z.literal('medium'), medium: id, project: id }),
])
export type DeckWallpaper = z.infer<typeof wallpaper>

const streamDecks = z.object({
  /** From 0 to 1 in steps of 0.02. */
  brightness: z.number(),
  /** For `<img>`, good for an hour; null without a wallpaper, or while it cannot be seen. */
  wallpaperSrc: z.nullable(z.string()),
  /** Metadata of the wallpaper. */
  wallpaper: z.nullable(wallpaper),
  /** Shown over the whole deck. */
  wallpaperText: z.string(),
  mapping: z.record(z.string(), z.array(z.string())),
  /** By slot and key. */
  keys: z.array(z.object({ slot: z.number(), key: z.number(), ...keyFace })),
  ...settingsState,
})
export type StreamDecks = z.infer<typeof streamDecks>

const change = z.strictObject({
  brightness: z.optional(
    numberBetween(0, 1).check(
      z.refine((value) => Math.abs(value * 50 - Math.round(value * 50)) < 1e-9, 'Must be a step of 0.02'),
    ),
  ),
  /** An upload of one's own (`filename` of its ticket), or a picture of a project's media; null takes it away. */
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
  wallpaperText: z.optional(
    z.string().check(z.maxLength(limits.wallpaperTextMax), z.regex(/^[\P{Cc}\n]*$/u)),
  ),
  /** Replaces the whole mapping: omitted serials are in no slot. A serial in two slots is refused. */
  mapping: z.optional(mapping),
  /** The keys that change; one without label, icon and action is empty again. */
  keys: z.optional(z.array(deckKey).check(z.maxLength(limits.deckKeys))),
})

export const streamDeckEndpoints = {
  read: endpoint('GET', '/me/stream-decks', {
    summary: 'The settings of the caller’s Stream Decks.',
    reply: streamDecks,
    errors: ['UNAUTHENTICATED'],
  }),
  update: endpoint('PUT', '/me/stream-decks', {
    summary: 'Changes what is sent of it. If-Match refuses it when another browser was faster.',
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
    summary: 'Does what a key is for, as far as the caller may, and says what the console has to open.',
    body: z.strictObject({ slot, key }),
    reply: z.object({
      /** A path of the console to open; null when there is nothing to open. */
      open: z.nullable(z.string()),
      /** The project that the path belongs to. */
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
