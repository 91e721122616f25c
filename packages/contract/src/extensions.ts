import * as z from 'zod/mini'
import { done, instant, listOf } from './collection.ts'
import { endpoint } from './endpoint.ts'
import { extensionFailure } from './extensions/fragment.ts'

export const extensionErrors = {
  EXTENSION_BROKEN: { status: 409, message: 'This extension is not valid. Correct its manifest or files' },
  EXTENSION_RUNS: {
    status: 409,
    message: 'This version is running. Enable another version or disable the extension first',
  },
  NO_SPACE_LEFT: { status: 507, message: 'The server’s disk is full' },
  BACKEND_MISSING: {
    status: 503,
    message: 'The address of this app’s service is not configured. Ask root to enter it',
  },
  BACKEND_UNREACHABLE: { status: 502, message: 'The service of this app does not answer' },
  BACKEND_REFUSED: { status: 502, message: 'The service of this app rejected the caller' },
  BACKEND_TIMED_OUT: { status: 504, message: 'The service of this app did not answer in time' },
} as const

/** Ids of what an extension consists of besides its roles. `services` has the label of its service. */
const extensionParts = z.object({
  products: z.array(z.string()),
  apps: z.array(z.string()),
  settings: z.array(z.string()),
  tasks: z.array(z.string()),
  services: z.array(z.string()),
})
export type ExtensionParts = z.infer<typeof extensionParts>

/** A product role of a version, compared with the entries that root has allowed. */
const versionRole = z.object({
  /** `product/role`, as in grants. */
  id: z.string(),
  /** The labels of the product and the role; the id for a role that the version no longer has. */
  label: z.string(),
  /** The roles of apps that it gives: `reports`, `reports:export`. */
  roles: z.array(z.string()),
  /** Those of apps of other extensions. */
  foreign: z.array(z.string()),
  /** Those that root has not allowed yet. */
  added: z.array(z.string()),
  /** Allowed ones that this version no longer gives. */
  removed: z.array(z.string()),
})
export type ExtensionVersionRole = z.infer<typeof versionRole>

/** One version of an extension: a folder with its manifest and files. */
const extensionVersion = z.object({
  /** The version in the manifest; empty if the manifest cannot be read. */
  version: z.string(),
  /** Digest of the manifest, which lists the digests of all files. Identifies the version in calls. */
  digest: z.string(),
  /** `bundled` with the product, or `installed` in the data folder. */
  source: z.enum(['bundled', 'installed']),
  isRunning: z.boolean(),
  /** Why the version cannot run; null if it can. */
  problem: z.nullable(z.string()),
  /** Supported SDK versions as a semver range; null if the manifest names none. */
  sdk: z.nullable(z.string()),
  /** Size of all files in bytes. */
  size: z.number(),
  /** What its product roles give, and how that differs from what root has allowed. */
  roles: z.array(versionRole),
  /** The other differences from the version that root has allowed. */
  added: extensionParts,
  removed: extensionParts,
  /** Its roles give more than root has allowed: enabling it needs `allowsRoles`. */
  needsConsent: z.boolean(),
  /** Failures of its code in browsers within 30 days, the latest first. */
  failures: z._default(z.array(extensionFailure), []),
})
export type ExtensionVersion = z.infer<typeof extensionVersion>

/** An extension for root. Its running version describes it, or its newest version if none runs. */
export const installedExtension = z.object({
  /** Id in the manifest; the folder's name if the manifest cannot be read. */
  id: z.string(),
  label: z.string(),
  version: z.string(),
  description: z.string(),
  isEnabled: z.boolean(),
  /**
   * Why the extension cannot be enabled or is not running: it is invalid, or its files have changed since it was
   * enabled.
   */
  problem: z.nullable(z.string()),
  apps: z.array(z.object({ id: z.string(), label: z.string(), icon: z.string() })),
  products: z.array(z.object({ sku: z.string(), label: z.string() })),
  /** Service that the apps call, and its address; null if the manifest declares none. */
  backend: z.nullable(
    z.object({
      label: z.string(),
      url: z.nullable(z.string()),
      /** Root has allowed http for this address. */
      allowsHttp: z._default(z.boolean(), false),
    }),
  ),
  /** The newest first. */
  versions: z.array(extensionVersion),
  changedAt: z.nullable(instant),
})
export type InstalledExtension = z.infer<typeof installedExtension>

const ofRoot = ['UNAUTHENTICATED', 'FORBIDDEN'] as const
const changedByRoot = [...ofRoot, 'NOT_FOUND', 'RECENT_SIGN_IN_NEEDED'] as const
/** The `digest` of the installed version. */
const digest = z.string().check(z.regex(/^[0-9a-f]{64}$/))

/**
 * An extension is fully trusted code with all rights of its user. `name` in a path is the extension's id.
 *
 * PUT /api/apps/root/extensions installs an archive (`.tgz` of a folder with a manifest) sent as `application/gzip`,
 * and returns the extension as `list` does. An installed extension stays disabled until root enables it.
 */
export const rootExtensionEndpoints = {
  list: endpoint('GET', '/apps/root/extensions', {
    summary:
      'Lists the extensions that are included in the product and those in the data folder of this node.',
    reply: listOf(installedExtension),
    errors: [...ofRoot],
  }),
  enable: endpoint('POST', '/apps/root/extensions/:name/enable', {
    summary:
      'Enables the current files of an extension: the newest version that can run, or the named one. A version whose roles give more than root has allowed needs `digest` and `allowsRoles`.',
    body: z.strictObject({ digest: z.optional(digest), allowsRoles: z.optional(z.boolean()) }),
    reply: done,
    errors: [...changedByRoot, 'EXTENSION_BROKEN'],
  }),
  disable: endpoint('POST', '/apps/root/extensions/:name/disable', {
    summary: 'Disables an extension: all users lose its apps, and its products and grants remain.',
    reply: done,
    errors: [...changedByRoot],
  }),
  setBackend: endpoint('PUT', '/apps/root/extensions/:name/backend', {
    summary:
      'Sets the address of an extension’s service; null removes it. An http address of another machine needs `allowsHttp`.',
    body: z.strictObject({
      url: z.nullable(z.url({ protocol: /^https?$/ }).check(z.maxLength(500))),
      allowsHttp: z.optional(z.boolean()),
    }),
    reply: done,
    errors: [...changedByRoot],
  }),
  removeVersion: endpoint('DELETE', '/apps/root/extensions/:name/versions/:digest', {
    summary: 'Deletes an installed version that is not running.',
    reply: done,
    errors: [...changedByRoot, 'EXTENSION_RUNS'],
  }),
}

/**
 * `/api/apps/{appId}/{path}` is forwarded to the service of the app's extension with any method, the query and the
 * body. This header carries the caller's project; a root app sends none. A signed token (`authorization: Bearer …`, a
 * JWT with its keys at `jwksPath`) identifies the caller. Its claims are `sub` and `name` of the user, `app`,
 * `project`, `scope` (the user's entries for this project), `owner` and `root`. The owner of the project and root hold
 * every role. `aud` is the extension's id, and `iss` this installation's address. A service's 401 becomes
 * BACKEND_REFUSED.
 */
export const projectHeader = 'pult-project'

/**
 * Header with the values of all settings that apply to a forwarded call, including secrets: JSON as base64url. Sent
 * only for extensions whose manifest has settings.
 */
export const settingsHeader = 'pult-settings'

/** Path below `apiBase` of the public keys with which services verify callers. */
export const jwksPath = '/apps/root/jwks.json'

export const backendEndpoints = {
  keys: endpoint('GET', jwksPath, {
    summary:
      'Returns the public keys with which services of extensions verify callers, as a JSON Web Key Set.',
    reply: z.object({ keys: z.array(z.record(z.string(), z.unknown())) }),
  }),
}
