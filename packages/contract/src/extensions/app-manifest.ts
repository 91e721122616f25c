import * as z from 'zod/mini'
import { wholeNumber } from '../collection.ts'
import { reportFrom } from '../text.ts'

/** A word that becomes part of scope entries and URLs. */
export const word = z
  .string()
  .check(z.regex(/^[a-z][a-z0-9-]{0,49}$/, 'Must be lower-case letters, digits and hyphens'))
/** One line. Cleaned instead of rejected, because an installed extension must remain readable. */
export const label = z.string().check(
  z.minLength(1),
  z.maxLength(100, { abort: true }),
  z.overwrite((text) => reportFrom(text.replace(/\p{Cc}+/gu, ' '), 100)),
)
/** Labels in languages other than the console's default. */
export const labels = z.optional(z.strictObject({ en: z.optional(label), 'de-DE': z.optional(label) }))

/** A role of an app, or of one of its tabs and elements: `reports`, `reports:export`. */
export const scopeRole = z
  .string()
  .check(z.regex(/^[a-z][a-z0-9-]{0,49}(?::[a-z][a-z0-9-]{0,49})?$/, 'Must be role or role:element'))
/** The name of a lucide icon. */
const icon = z.string().check(z.regex(/^[a-z][a-z0-9-]*$/), z.maxLength(50))

const pointsMost = 20
const points = <Point extends z.core.$ZodType<{ id: string }>>(point: Point) =>
  z.optional(
    z.array(point).check(
      z.maxLength(pointsMost),
      z.refine((all) => new Set(all.map(({ id }) => id)).size === all.length, 'Must not repeat an id'),
    ),
  )

/** A panel with data of the app. The console renders its frame and states, the app its content. */
const cardManifest = z.strictObject({
  id: word,
  label,
  labels,
  place: z._default(z.enum(['home', 'edge', 'organisation', 'root']), 'home'),
  /** Width in columns of the grid. */
  size: z._default(z.literal([1, 2]), 1),
  /** Required role; if omitted, every user who may open the app. */
  role: z.optional(scopeRole),
  /** Sort order, lowest first. */
  priority: z._default(z.number(), 1000),
  /** Seconds between two fetches of a visible card. */
  refresh: z._default(wholeNumber(5, 3600), 60),
})

/** A search provider of the command palette. */
const searchManifest = z.strictObject({ id: word, label, labels, role: z.optional(scopeRole) })

/** An action of the command palette. Its code loads when the action runs. */
const actionManifest = z.strictObject({
  id: word,
  label,
  labels,
  icon: z.optional(icon),
  keywords: z.optional(z.array(label).check(z.maxLength(20))),
  role: z.optional(scopeRole),
  /** Offers the action for results of this kind, such as `edge`, or of this search provider of the app. */
  on: z.optional(word),
})

/** A tab on the page of an edge, the project or a user. Its code loads when the tab is opened. */
const pageTabManifest = z.strictObject({
  id: word,
  page: z.enum(['edge', 'project', 'person']),
  label,
  labels,
  /** Required role; if omitted, every user who may open the app. */
  role: z.optional(scopeRole),
  /** Sort order, lowest first. */
  priority: z._default(z.number(), 1000),
})

/** An app as its manifest declares it, known before any of its code runs. */
export const appManifest = z.strictObject(
  {
    id: word,
    uuid: z.guid(),
    label,
    labels,
    icon,
    /** Colour of the icon; if omitted, derived from the app's id. */
    tint: z.optional(z.enum(['teal', 'violet', 'orange', 'blue', 'pink', 'green', 'olive', 'slate', 'red'])),
    /** Product of an installed extension, or `root` for an app of root users. */
    productSku: word,
    /** Required role; if omitted, every user who sees the project may open the app. */
    role: z.optional(word),
    /** Sort order, lowest first. */
    priority: z._default(z.number(), 1000),
    container: z._default(z.enum(['page', 'window']), 'page'),
    /** Size of a new window of the app in CSS pixels; 400 x 200 if omitted. */
    windowSize: z.optional(z.strictObject({ width: wholeNumber(272, 3840), height: wholeNumber(128, 2160) })),
    tabs: z.optional(z.array(z.strictObject({ id: word, label, labels, role: z.optional(word) }))),
    cards: points(cardManifest),
    /** The app's navigation entry shows a count and a state, refetched after `refresh` seconds. */
    navigation: z.optional(z.strictObject({ refresh: z._default(wholeNumber(5, 3600), 60) })),
    search: points(searchManifest),
    actions: points(actionManifest),
    pageTabs: points(pageTabManifest),
  },
  {
    // The server loads no message texts of zod, so this names a misspelt or newer extension point.
    error: ({ code, keys }) =>
      code === 'unrecognized_keys'
        ? `Unknown extension point: ${String(keys)}. This version has cards, navigation, search, actions, pageTabs and tabs`
        : undefined,
  },
)
export type AppManifest = z.infer<typeof appManifest>
