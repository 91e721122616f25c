import * as z from 'zod/mini'

/** What becomes a part of scope entries and of addresses. */
export const word = z
  .string()
  .check(z.regex(/^[a-z][a-z0-9-]{0,49}$/, 'Must be lower-case letters, digits and hyphens'))
export const label = z.string().check(z.minLength(1), z.maxLength(100))
/** The label in other languages than the console's default one. */
export const labels = z.optional(z.strictObject({ en: z.optional(label), 'de-DE': z.optional(label) }))

/** An app, as a manifest names it before any of its code runs. */
export const appManifest = z.strictObject({
  id: word,
  uuid: z.guid(),
  label,
  labels,
  /** The name of a lucide icon. */
  icon: z.string().check(z.regex(/^[a-z][a-z0-9-]*$/), z.maxLength(50)),
  /** A product of any installed extension; `root` for an app of root users. */
  productSku: word,
  /** Without a role everybody who sees the project may open it. */
  role: z.optional(word),
  /** Lower comes first. */
  priority: z._default(z.number(), 1000),
  container: z._default(z.enum(['page', 'window']), 'page'),
  tabs: z.optional(z.array(z.strictObject({ id: word, label, labels, role: z.optional(word) }))),
})
export type AppManifest = z.infer<typeof appManifest>
