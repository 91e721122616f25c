import * as z from 'zod/mini'
import { done, id, instant, listOf } from './collection.ts'
import { endpoint } from './endpoint.ts'
import { appManifest } from './extensions/manifest.ts'

export const extensionErrors = {
  EXTENSION_BROKEN: { status: 409, message: 'This extension cannot be used as it is' },
} as const

/** What the console needs to load an extension: what it is and where its code is, before the code runs. */
export const fragment = z.object({
  id: z.string(),
  version: z.string(),
  label: z.string(),
  /** Path of the ES module whose default export registers the apps. */
  entry: z.string(),
  /** Digests of its scripts and style sheets by path; the document's import map has those of the scripts. */
  integrity: z.record(z.string(), z.string()),
  /** Paths of its style sheets. */
  styles: z.array(z.string()),
  /** The SDK versions that it works with, as a semver range. */
  sdk: z.string(),
  /** Those of its apps that the caller may open. */
  apps: z.array(appManifest),
  /** Why it cannot be loaded here, where that is known before. */
  problem: z.optional(z.string()),
})
export type Fragment = z.infer<typeof fragment>

export const extensionEndpoints = {
  probe: endpoint('GET', '/probe', {
    summary:
      'The fragments that the caller may load: for a project those of its apps, without one those of root apps.',
    query: z.strictObject({ project: z.optional(id) }),
    reply: z.array(fragment),
    errors: ['UNAUTHENTICATED', 'NOT_FOUND'],
  }),
}

/** An extension as root sees it. */
export const installedExtension = z.object({
  /** As in the manifest; the folder's name where that cannot be read. */
  id: z.string(),
  label: z.string(),
  version: z.string(),
  description: z.string(),
  /** Whether it came with the product or was put into the data folder. */
  source: z.enum(['bundled', 'installed']),
  isEnabled: z.boolean(),
  /** Why it cannot be enabled, or does not run although it is. */
  problem: z.nullable(z.string()),
  /** It was enabled, and its files are others since: it does not run until somebody enables it again. */
  isChanged: z.boolean(),
  apps: z.array(z.object({ id: z.string(), label: z.string(), icon: z.string() })),
  products: z.array(z.object({ sku: z.string(), label: z.string() })),
  /** The SDK versions that it works with. */
  sdk: z.nullable(z.string()),
  /** Of all its files, in bytes. */
  size: z.number(),
  changedAt: z.nullable(instant),
})
export type InstalledExtension = z.infer<typeof installedExtension>

const ofRoot = ['UNAUTHENTICATED', 'FORBIDDEN'] as const

/** An extension is fully trusted code: it can do what its user can do. */
export const rootExtensionEndpoints = {
  list: endpoint('GET', '/apps/root/extensions', {
    summary: 'The extensions that come with the product and those in the data folder of this node.',
    reply: listOf(installedExtension),
    errors: [...ofRoot],
  }),
  enable: endpoint('POST', '/apps/root/extensions/:name/enable', {
    summary: 'Lets an extension run, as its files are now.',
    reply: done,
    errors: [...ofRoot, 'NOT_FOUND', 'RECENT_SIGN_IN_NEEDED', 'EXTENSION_BROKEN'],
  }),
  disable: endpoint('POST', '/apps/root/extensions/:name/disable', {
    summary: 'Takes its apps from everybody. Its products and grants stay.',
    reply: done,
    errors: [...ofRoot, 'NOT_FOUND', 'RECENT_SIGN_IN_NEEDED'],
  }),
}
