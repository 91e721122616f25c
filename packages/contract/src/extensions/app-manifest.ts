import * as z from 'zod/mini'
import { wholeNumber } from '../collection.ts'

/** What becomes a part of scope entries and of addresses. */
export const word = z
  .string()
  .check(z.regex(/^[a-z][a-z0-9-]{0,49}$/, 'Must be lower-case letters, digits and hyphens'))
export const label = z.string().check(z.minLength(1), z.maxLength(100))
/** The label in other languages than the console's default one. */
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
      z.refine((all) => new Set(all.map(({ id }) => id)).size === all.length, 'Two of them have the same id'),
    ),
  )

/** A panel with data of the app. The console draws its frame and states, the app its content. */
const cardManifest = z.strictObject({
  id: word,
  label,
  labels,
  place: z._default(z.enum(['home', 'edge', 'organisation', 'root']), 'home'),
  /** Columns of the grid. */
  size: z._default(z.literal([1, 2]), 1),
  /** Without a role, every user who may open the app sees it. */
  role: z.optional(scopeRole),
  /** Lower comes first. */
  priority: z._default(z.number(), 1000),
  /** Seconds between two reads of a visible card. */
  refresh: z._default(wholeNumber(5, 3600), 60),
})

/** A source of results for the command palette. */
const searchManifest = z.strictObject({ id: word, label, labels, role: z.optional(scopeRole) })

/** An action of the command palette. Its code loads when it runs. */
const actionManifest = z.strictObject({
  id: word,
  label,
  labels,
  icon: z.optional(icon),
  keywords: z.optional(z.array(label).check(z.maxLength(20))),
  role: z.optional(scopeRole),
  /** Offered for a result of this kind, such as `edge`, or of this search provider of the app. */
  on: z.optional(word),
})

/** A tab on the page of an edge, of the project or of a person. Its code loads when it is opened. */
const pageTabManifest = z.strictObject({
  id: word,
  page: z.enum(['edge', 'project', 'person']),
  label,
  labels,
  /** Without a role, every user who may open the app sees it. */
  role: z.optional(scopeRole),
  /** Lower comes first. */
  priority: z._default(z.number(), 1000),
})

/** An app as the manifest declares it, before any of its code runs. */
export const appManifest = z.strictObject(
  {
    id: word,
    uuid: z.guid(),
    label,
    labels,
    icon,
    /** Colour of its icon. Without one, its id chooses. */
    tint: z.optional(z.enum(['teal', 'violet', 'orange', 'blue', 'pink', 'green', 'olive', 'slate', 'red'])),
    /** A product of any installed extension; `root` for an app of root users. */
    productSku: word,
    /** Without a role, every user who sees the project may open it. */
    role: z.optional(word),
    /** Lower comes first. */
    priority: z._default(z.number(), 1000),
    container: z._default(z.enum(['page', 'window']), 'page'),
    /** Size in CSS pixels of a new window of the app; 400 x 200 without it. */
    windowSize: z.optional(z.strictObject({ width: wholeNumber(272, 3840), height: wholeNumber(128, 2160) })),
    tabs: z.optional(z.array(z.strictObject({ id: word, label, labels, role: z.optional(word) }))),
    cards: points(cardManifest),
    /** Its entry in the navigation shows a count and a state, read again after this many seconds. */
    navigation: z.optional(z.strictObject({ refresh: z._default(wholeNumber(5, 3600), 60) })),
    search: points(searchManifest),
    actions: points(actionManifest),
    pageTabs: points(pageTabManifest),
  },
  {
    // The server has no texts of zod, and a misspelt or newer point must be named.
    error: ({ code, keys }) =>
      code === 'unrecognized_keys'
        ? `Unknown extension point: ${String(keys)}. This version has cards, navigation, search, actions, pageTabs and tabs`
        : undefined,
  },
)
export type AppManifest = z.infer<typeof appManifest>
