import * as z from 'zod/mini'
import { id } from '../collection.ts'
import { endpoint } from '../endpoint.ts'
import { appManifest } from './app-manifest.ts'

/** Descriptor that the console needs to load an extension before any of its code runs. */
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
  /** Whether the running version came with the product: safe mode loads no other. */
  isBundled: z.boolean(),
  /** Why it cannot be loaded, where the server knows. */
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
