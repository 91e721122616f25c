import * as z from 'zod/mini'
import { reportText } from '../text.ts'
import { appManifest, label, labels, scopeRole, word } from './app-manifest.ts'
import { settingLimits, settingManifest } from './setting-manifest.ts'

/*
 * manifest.json: declares an extension before any of its code runs. Roles and ids are plain words, because they become
 * parts of scope entries (`p-{projectId}/r-{role}`) and URLs.
 */

const description = reportText(500)
/** Id and version together are a folder name, which file systems limit to 255 bytes. */
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
  /** Whether a new project uses the product by default. */
  suggested: z.optional(z.boolean()),
  /** Product roles for grants, as `sku/id`, with the scope roles to which each expands. */
  roles: z.array(
    z.strictObject({ id: word, label, labels, roles: z.array(scopeRole).check(z.maxLength(100)) }),
  ),
})

export const extensionManifest = z.strictObject({
  /** `root` is reserved for the server's own calls below /apps. */
  id: word.check(z.refine((id) => id !== 'root', 'Must not be root, which is reserved')),
  version,
  label,
  labels,
  description: z.optional(description),
  /** Descriptions in languages other than the console's default. */
  descriptions: z.optional(z.strictObject({ en: z.optional(description), 'de-DE': z.optional(description) })),
  /** Path of the ES module whose default export registers the apps. Omitted by an extension that has only products. */
  entry: z.optional(path.check(z.regex(/\.js$/, 'Must be a .js file'))),
  styles: z.optional(z.array(path)),
  /** Supported SDK versions as a semver range. */
  sdk: z.optional(z.string().check(z.maxLength(100))),
  /** Modules that the console shares with the extension. */
  shared: z.optional(z.array(z.string().check(z.maxLength(100)))),
  products: z._default(z.array(productManifest), []),
  apps: z._default(z.array(appManifest), []),
  /**
   * Integrity hash (`sha256-…`) of every file by path. The build writes this list. The server does not serve unlisted
   * files, and changed files do not run.
   */
  files: z._default(
    z.record(path, z.string().check(z.regex(/^sha256-[A-Za-z0-9+/]{43}=$/, 'Must be a sha256 digest'))),
    {},
  ),
  /** Kinds of tasks that the extension's service drives. */
  tasks: z.optional(z.array(z.strictObject({ kind: word, label, labels }))),
  /** The extension's service, whose address root configures. */
  backend: z.optional(z.strictObject({ label, labels })),
  /** Values that users set in forms of the console. */
  settings: z.optional(
    z.array(settingManifest).check(
      z.maxLength(settingLimits.count),
      z.refine((all) => new Set(all.map(({ id }) => id)).size === all.length, 'Must not repeat an id'),
    ),
  ),
})
export type ExtensionManifest = z.infer<typeof extensionManifest>

/** Names the cards that no page shows: those for root's page in an app of projects. One line each. */
export const cardsInVain = ({ apps }: Pick<ExtensionManifest, 'apps'>): string[] =>
  apps
    .filter(({ productSku }) => productSku !== 'root')
    .flatMap(({ id, cards = [] }) =>
      cards
        .filter(({ place }) => place === 'root')
        .map(
          (card) =>
            `apps ${id}: the card ${card.id} has the place root, which needs an app with the product root`,
        ),
    )

/** The SDK version of this console. */
export const sdkVersion = '1.0.0'

/** Ids and skus that are reserved for the bundled extensions. */
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

/** Modules that the console shares with extensions. Extensions bundle all other imports. */
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
