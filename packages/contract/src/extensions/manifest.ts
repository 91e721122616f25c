import * as z from 'zod/mini'
import { appManifest, label, labels, scopeRole, word } from './app-manifest.ts'
import { settingLimits, settingManifest } from './setting-manifest.ts'

/*
 * manifest.json: what an extension is, before any of its code runs. Roles and ids are plain words, because they become
 * parts of scope entries (`p-{projectId}/r-{role}`) and of addresses.
 */

const description = z.string().check(z.maxLength(500))
/** Together with the id this is a folder name, which file systems limit to 255 bytes. */
const version = z
  .string()
  .check(
    z.maxLength(100, 'Must have at most 100 characters'),
    z.regex(/^\d+\.\d+\.\d+(?:-[\w.-]+)?$/, 'Must be a version such as 1.2.3'),
  )
const path = z
  .string()
  .check(
    z.maxLength(200),
    z.regex(/^(?!.*(?:^|\/)\.)[\w-][\w./-]*$/, 'Must be a path below the manifest’s folder'),
  )
const productManifest = z.strictObject({
  sku: word,
  label,
  labels,
  /** A new project uses it unless its creator decides otherwise. */
  suggested: z.optional(z.boolean()),
  /** A role that grants may carry, as `sku/id`, and the scope roles to which it expands. */
  roles: z.array(
    z.strictObject({ id: word, label, labels, roles: z.array(scopeRole).check(z.maxLength(100)) }),
  ),
})

export const extensionManifest = z.strictObject({
  /** `root` is reserved for the server's own calls below /apps. */
  id: word.check(z.refine((id) => id !== 'root', 'No extension may be called root')),
  version,
  label,
  labels,
  description: z.optional(description),
  /** The description in other languages than the console's default one. */
  descriptions: z.optional(z.strictObject({ en: z.optional(description), 'de-DE': z.optional(description) })),
  /** The ES module whose default export registers the apps. An extension with products only has none. */
  entry: z.optional(path.check(z.endsWith('.js', 'Must be a .js file'))),
  styles: z.optional(z.array(path)),
  /** The SDK versions that it works with, as a semver range. */
  sdk: z.optional(z.string().check(z.maxLength(100))),
  /** Modules that the console shares with it. */
  shared: z.optional(z.array(z.string().check(z.maxLength(100)))),
  products: z._default(z.array(productManifest), []),
  apps: z._default(z.array(appManifest), []),
  /**
   * Every file of the extension with its integrity hash (`sha256-…`). The build writes this list. Unlisted files are
   * not served, and changed files do not run.
   */
  files: z._default(
    z.record(path, z.string().check(z.regex(/^sha256-[A-Za-z0-9+/]{43}=$/, 'Must be a sha256 digest'))),
    {},
  ),
  /** Kinds of long-running tasks that its backend drives. */
  tasks: z.optional(z.array(z.strictObject({ kind: word, label, labels }))),
  /** The extension's own service, whose address root configures. */
  backend: z.optional(z.strictObject({ label, labels })),
  /** Values that its users set in forms of the console. */
  settings: z.optional(
    z.array(settingManifest).check(
      z.maxLength(settingLimits.count),
      z.refine((all) => new Set(all.map(({ id }) => id)).size === all.length, 'Two of them have the same id'),
    ),
  ),
})
export type ExtensionManifest = z.infer<typeof extensionManifest>
/** The SDK version of this console. */
export const sdkVersion = '1.0.0'

/** Ids and skus of the product's own extensions, which others cannot use. */
export const bundledIds = [
  'accounts',
  'audit',
  'edges',
  'extensions',
  'hello',
  'media-library',
  'project',
  'project-details',
] as const

/** What extensions share with the console; they import nothing else that is not their own. */
export const sharedModules = [
  'react',
  'react/jsx-runtime',
  'react-dom',
  '@tanstack/react-query',
  '@pult/sdk',
  '@pult/sdk/ui',
  '@pult/sdk/api',
  '@pult/sdk/api/root',
  '@pult/sdk/resource',
  '@pult/sdk/tasks',
] as const
