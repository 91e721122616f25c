import * as z from 'zod/mini'
import { appManifest, label, labels, word } from './app-manifest.ts'

/*
 * manifest.json: what an extension is, before any of its code runs. Roles and ids are plain words, because they become
 * parts of scope entries (`p-{projectId}/r-{role}`) and of addresses.
 */

const description = z.string().check(z.maxLength(500))
/** With the id it is the name of a folder, of which disks take 255 bytes. */
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
/** A role of an app, or of one of its tabs and elements: `reports`, `reports:export`. */
const scopeRole = z
  .string()
  .check(z.regex(/^[a-z][a-z0-9-]{0,49}(?::[a-z][a-z0-9-]{0,49})?$/, 'Must be role or role:element'))

const productManifest = z.strictObject({
  sku: word,
  label,
  labels,
  /** What a grant may carry, as `sku/id`, and the scope roles that each unfolds to. */
  roles: z.array(
    z.strictObject({ id: word, label, labels, roles: z.array(scopeRole).check(z.maxLength(100)) }),
  ),
})

export const extensionManifest = z.strictObject({
  /** `root` stands for the server's own calls below /apps. */
  id: word.check(z.refine((id) => id !== 'root', 'No extension may be called root')),
  version,
  label,
  labels,
  description: z.optional(description),
  /** The description in other languages than the console's default one. */
  descriptions: z.optional(z.strictObject({ en: z.optional(description), 'de-DE': z.optional(description) })),
  /** The ES module whose default export registers the apps; an extension of products alone has none. */
  entry: z.optional(path.check(z.endsWith('.js', 'Must be a .js file'))),
  styles: z.optional(z.array(path)),
  /** The SDK versions that it works with, as a semver range. */
  sdk: z.optional(z.string().check(z.maxLength(100))),
  /** Modules that the console shares with it. */
  shared: z.optional(z.array(z.string().check(z.maxLength(100)))),
  products: z._default(z.array(productManifest), []),
  apps: z._default(z.array(appManifest), []),
  /**
   * Every file that the extension has, with its digest as a browser checks it: `sha256-…`. The build writes it. What is
   * not listed is not served, and what was changed is not run.
   */
  files: z._default(
    z.record(path, z.string().check(z.regex(/^sha256-[A-Za-z0-9+/]{43}=$/, 'Must be a sha256 digest'))),
    {},
  ),
  /** Kinds of long-running tasks that its backend drives. */
  tasks: z.optional(z.array(z.strictObject({ kind: word, label, labels }))),
  /** A service of its own, whose address root configures. */
  backend: z.optional(z.strictObject({ label, labels })),
})
export type ExtensionManifest = z.infer<typeof extensionManifest>
/** The version of the SDK that this console brings. */
export const sdkVersion = '1.0.0'

/** What extensions share with the console; they import nothing else that is not their own. */
export const sharedModules = [
  'react',
  'react/jsx-runtime',
  'react-dom',
  '@tanstack/react-query',
  '@pult/sdk',
  '@pult/sdk/ui',
  '@pult/sdk/api',
  '@pult/sdk/resource',
  '@pult/sdk/tasks',
] as const
