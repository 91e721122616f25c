import * as z from 'zod/mini'
import { done, id, instant } from '../collection.ts'
import { endpoint } from '../endpoint.ts'
import { reportText } from '../text.ts'
import { appManifest } from './app-manifest.ts'

/** Descriptor with which the console loads an extension, before any of its code runs. */
export const fragment = z.object({
  id: z.string(),
  version: z.string(),
  label: z.string(),
  /** Path of the ES module whose default export registers the apps. */
  entry: z.string(),
  /** Integrity hashes of scripts and style sheets by path. The document's import map contains those of the scripts. */
  integrity: z.record(z.string(), z.string()),
  /** Paths of the style sheets. */
  styles: z.array(z.string()),
  /** Supported SDK versions as a semver range. */
  sdk: z.string(),
  /** Apps that the caller may open. */
  apps: z.array(appManifest),
  /** Whether the running version is bundled with the product. Safe mode loads only bundled extensions. */
  isBundled: z.boolean(),
  /** Why the extension cannot be loaded, if the server knows. */
  problem: z.optional(z.string()),
})
export type Fragment = z.infer<typeof fragment>

export const extensionEndpoints = {
  probe: endpoint('GET', '/probe', {
    summary:
      'Lists the fragments that the caller may load: those of a project’s apps, or without a project those of root apps.',
    query: z.strictObject({ project: z.optional(id) }),
    reply: z.array(fragment),
    errors: ['UNAUTHENTICATED', 'NOT_FOUND'],
  }),
}

/** A failure of an extension's code in browsers. */
export const extensionFailure = z.object({
  /** What failed: `entry`, the id of an app, or the id of its card, tab, action, search or navigation. */
  part: z.string(),
  /** The message of the last error. */
  message: z.string(),
  /** Number of page loads in which it occurred. */
  count: z.number(),
  firstAt: instant,
  lastAt: instant,
})
export type ExtensionFailure = z.infer<typeof extensionFailure>

export const extensionFailureEndpoints = {
  report: endpoint('POST', '/extensions/:name/failures', {
    summary:
      'Counts a failure of the running version of an extension in a browser. Root reads them with the versions.',
    body: z.strictObject({
      version: z.string().check(z.maxLength(100)),
      part: reportText(100),
      message: reportText(300),
    }),
    reply: done,
    errors: ['UNAUTHENTICATED', 'NOT_FOUND'],
  }),
}
