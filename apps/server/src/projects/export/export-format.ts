import * as z from 'zod/mini'

/*
 * The content of an exported project's ZIP, described in docs/operations/export-format.md. A change that older
 * versions cannot read must increase the version.
 */

export const exportFormat = 'pult-project'
export const exportVersion = 1

/** Lists all other entries with their digests. It is the last entry, because the digests are known last. */
export const manifestPath = 'manifest.json'
export const projectPath = 'project.json'
export const mediaPath = 'media.json'
export const tasksPath = 'tasks.jsonl'
export const auditPath = 'audit.jsonl'

const sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/))
const bytes = z.int().check(z.minimum(0))

/** PostgreSQL stores neither a NUL nor a lone surrogate, as text or as JSON. */
const isStorable = (value: string) => !value.includes('\0') && value.isWellFormed()
const storable = z.refine<string>(isStorable, 'Contains a NUL or half a character')

const text = z.string().check(z.maxLength(1000, 'Exceeds 1000 characters'), storable)

export const exportManifest = z.object({
  format: z.literal(exportFormat),
  version: z.int().check(z.minimum(1)),
  createdAt: text,
  project: z.object({ _id: text, label: text }),
  /** Parts that the user excluded or may not read. */
  without: z.array(text),
  entries: z.array(z.object({ path: text, size: bytes, sha256 })),
  /** Media that were deleted during the export. */
  missing: z.array(text),
})
export type ExportManifest = z.infer<typeof exportManifest>

export const exportedProject = z.object({
  label: text,
  meta: z.object({ customer: text, projectId: text }),
  config: z.object({ consoleColor: z.optional(text) }),
  products: z.array(text).check(z.maxLength(100)),
  owner: z.object({ email: text, firstname: text, lastname: text }),
  organisation: z.nullable(text),
  grants: z.array(z.object({ email: text, firstname: text, lastname: text, productRole: z.nullable(text) })),
})
export type ExportedProject = z.infer<typeof exportedProject>

export const exportedMedium = z.object({
  // In code units: an emoji has several. The import shortens longer names.
  label: z.string().check(z.minLength(1), z.maxLength(1000), z.regex(/^\P{Cc}*$/u), storable),
  tags: z
    .array(z.string().check(z.minLength(1), z.maxLength(250), z.regex(/^\P{Cc}*$/u), storable))
    .check(z.maxLength(50)),
  mime: z.string().check(z.regex(/^(?:image|video|audio)\/[a-z0-9][a-z0-9.+-]{0,80}$/)),
  /** The path of its original in the ZIP: `media/{id}`. */
  path: text,
})
export type ExportedMedium = z.infer<typeof exportedMedium>

/** Returns whether the format defines this name. */
export const isExportPath = (path: string): boolean =>
  /^(?:(?:manifest|project|media)\.json|(?:tasks|audit)\.jsonl|media\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.test(
    path,
  )
