import * as z from 'zod/mini'
import { done, instant, listOf } from './collection.ts'
import { endpoint } from './endpoint.ts'

export const extensionErrors = {
  EXTENSION_BROKEN: { status: 409, message: 'This extension cannot be used as it is' },
  EXTENSION_RUNS: {
    status: 409,
    message: 'This version runs. Enable another one or disable the extension first',
  },
  NO_SPACE_LEFT: { status: 507, message: 'There is no space left on the server' },
  BACKEND_MISSING: { status: 503, message: 'Nobody has said yet where the service of this app is' },
  BACKEND_UNREACHABLE: { status: 502, message: 'The service of this app does not answer' },
  BACKEND_REFUSED: { status: 502, message: 'The service of this app does not accept who calls' },
  BACKEND_TIMED_OUT: { status: 504, message: 'The service of this app did not answer in time' },
} as const

/** One version of an extension: a folder with its manifest and files. */
export const extensionVersion = z.object({
  /** As in the manifest; empty where that cannot be read. */
  version: z.string(),
  /** Of its manifest, and so of all its files. Names this version in calls. */
  digest: z.string(),
  /** Whether it came with the product or was put into the data folder. */
  source: z.enum(['bundled', 'installed']),
  isRunning: z.boolean(),
  /** Why it cannot run. */
  problem: z.nullable(z.string()),
  /** The SDK versions that it works with. */
  sdk: z.nullable(z.string()),
  /** Of all its files, in bytes. */
  size: z.number(),
})
export type ExtensionVersion = z.infer<typeof extensionVersion>

/** An extension as root sees it, with what the running version says of itself, or the newest when none runs. */
export const installedExtension = z.object({
  /** As in the manifest; the folder's name where that cannot be read. */
  id: z.string(),
  label: z.string(),
  version: z.string(),
  description: z.string(),
  isEnabled: z.boolean(),
  /** Why it cannot be enabled, or does not run although it is: broken, or its files are others than those that were enabled. */
  problem: z.nullable(z.string()),
  apps: z.array(z.object({ id: z.string(), label: z.string(), icon: z.string() })),
  products: z.array(z.object({ sku: z.string(), label: z.string() })),
  /** A service of its own that its apps call, and where it is; null when its manifest names none. */
  backend: z.nullable(z.object({ label: z.string(), url: z.nullable(z.string()) })),
  /** The newest first. */
  versions: z.array(extensionVersion),
  changedAt: z.nullable(instant),
})
export type InstalledExtension = z.infer<typeof installedExtension>

const ofRoot = ['UNAUTHENTICATED', 'FORBIDDEN'] as const
const changedByRoot = [...ofRoot, 'NOT_FOUND', 'RECENT_SIGN_IN_NEEDED'] as const
/** As the installed version's `digest` says. */
const digest = z.string().check(z.regex(/^[0-9a-f]{64}$/))

/**
 * An extension is fully trusted code: it can do what its user can do. `name` in a path is the extension's id.
 *
 * An archive (`.tgz` of a folder with a manifest) is installed by `PUT /api/apps/root/extensions` with its bytes as
 * `application/gzip`; it answers the extension as `list` would. What is installed is off until it is enabled.
 */
export const rootExtensionEndpoints = {
  list: endpoint('GET', '/apps/root/extensions', {
    summary: 'The extensions that come with the product and those in the data folder of this node.',
    reply: listOf(installedExtension),
    errors: [...ofRoot],
  }),
  enable: endpoint('POST', '/apps/root/extensions/:name/enable', {
    summary:
      'Lets an extension run as its files are now: the newest version that can run, or the one that is named.',
    body: z.strictObject({ digest: z.optional(digest) }),
    reply: done,
    errors: [...changedByRoot, 'EXTENSION_BROKEN'],
  }),
  disable: endpoint('POST', '/apps/root/extensions/:name/disable', {
    summary: 'Takes its apps from everybody. Its products and grants stay.',
    reply: done,
    errors: [...changedByRoot],
  }),
  setBackend: endpoint('PUT', '/apps/root/extensions/:name/backend', {
    summary: 'Says where the service of an extension is. Null takes it away.',
    body: z.strictObject({ url: z.nullable(z.url({ protocol: /^https?$/ }).check(z.maxLength(500))) }),
    reply: done,
    errors: [...changedByRoot],
  }),
  removeVersion: endpoint('DELETE', '/apps/root/extensions/:name/versions/:digest', {
    summary: 'Deletes an installed version that does not run.',
    reply: done,
    errors: [...changedByRoot, 'EXTENSION_RUNS'],
  }),
}

/**
 * `/api/apps/{appId}/{path}` is handed on to the service of the app's extension, any method, with the query and body as
 * they are. The caller's project goes in this header; a root app has none. The service learns who calls from a signed
 * token (`authorization: Bearer …`, a JWT whose keys are at `jwksPath`): `sub` and `name` of the person, `app`, `project`,
 * `scope` (their entries for this project), `owner` (of the project) and `root`, who both hold every role; `aud` is the
 * extension's id and `iss` this installation's address. An answer 401 of the service becomes BACKEND_REFUSED.
 */
export const projectHeader = 'pult-project'

/** Below `apiBase`: the public keys with which services check who calls. */
export const jwksPath = '/apps/root/jwks.json'

export const backendEndpoints = {
  keys: endpoint('GET', jwksPath, {
    summary: 'The public keys with which services of extensions check who calls, as a JSON Web Key Set.',
    reply: z.object({ keys: z.array(z.record(z.string(), z.unknown())) }),
  }),
}
