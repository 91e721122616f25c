import { bundledIds, type ExtensionManifest, type ExtensionParts } from '@pult/contract'

/**
 * What an extension may do, as root allows it by enabling a version. It is stored, because a later folder of the same
 * extension can replace the manifest.
 */
export interface Rights {
  /** The entries of each product role: `reporting/reader` holds `reports`. The `/` keeps the keys apart from `constructor`. */
  roles: Readonly<Record<string, readonly string[]>>
  parts: ExtensionParts
}

export interface RightsChange {
  added: Rights
  removed: Rights
}

const noParts: ExtensionParts = { products: [], apps: [], settings: [], tasks: [], services: [] }
export const noRights: Rights = { roles: {}, parts: noParts }

export const rightsOf = ({
  products,
  apps,
  settings = [],
  tasks = [],
  backend,
}: ExtensionManifest): Rights => ({
  roles: Object.fromEntries(
    products.flatMap(({ sku, roles }) => roles.map((role) => [`${sku}/${role.id}`, role.roles] as const)),
  ),
  parts: {
    products: products.map(({ sku }) => sku),
    apps: apps.map(({ id }) => id),
    settings: settings.map(({ id }) => id),
    tasks: tasks.map(({ kind }) => kind),
    services: backend === undefined ? [] : [backend.label],
  },
})

export const changeOf = (before: Rights, after: Rights): RightsChange => ({
  added: lacking(before, after),
  removed: lacking(after, before),
})

/** Returns whether roles give more than before. */
export const givesMore = ({ added }: RightsChange): boolean => Object.keys(added.roles).length > 0

/** Returns the rights that only `after` contains. */
function lacking(before: Rights, after: Rights): Rights {
  const roles = Object.entries(after.roles).flatMap(([role, entries]) => {
    const held = before.roles[role] ?? []
    const missing = entries.filter((entry) => !held.includes(entry))
    return missing.length === 0 ? [] : [[role, missing] as const]
  })
  const own = (kind: keyof ExtensionParts) =>
    after.parts[kind].filter((part) => !before.parts[kind].includes(part))
  return {
    roles: Object.fromEntries(roles),
    parts: {
      products: own('products'),
      apps: own('apps'),
      settings: own('settings'),
      tasks: own('tasks'),
      services: own('services'),
    },
  }
}

/** Returns the rights as lines for the audit log: `reporting/reader: reports`, `apps: reports`. */
export const rightsLines = ({ roles, parts }: Rights): string[] =>
  [...Object.entries(roles), ...Object.entries(parts)].flatMap(([name, entries]) =>
    entries.length === 0 ? [] : [`${name}: ${entries.join(', ')}`],
  )

/** Returns the manifest with the role entries that root has allowed. All others yield no scope. */
export const reducedTo = ({ roles: allowed }: Rights, manifest: ExtensionManifest): ExtensionManifest => ({
  ...manifest,
  products: manifest.products.map((product) => ({
    ...product,
    roles: product.roles.map((role) => ({
      ...role,
      roles: role.roles.filter((entry) => allowed[`${product.sku}/${role.id}`]?.includes(entry) === true),
    })),
  })),
})

/**
 * Returns a test for foreign role entries: those of an app of another extension. A role that holds such an entry
 * reaches beyond its own extension, which its label does not show.
 */
export function foreignTo(
  { id, apps }: ExtensionManifest,
  all: readonly ExtensionManifest[],
): (entry: string) => boolean {
  const reserved: readonly string[] = bundledIds.filter((name) => name !== id)
  const own = new Set(apps.map((app) => app.id).filter((name) => !reserved.includes(name)))
  const others = new Set([
    ...reserved,
    ...all.filter((other) => other.id !== id).flatMap((other) => other.apps.flatMap(wordsOf)),
  ])
  return (entry) => {
    const [word = ''] = entry.split(':')
    return others.has(word) && !own.has(word)
  }
}

const wordsOf = ({ id, role = id }: ExtensionManifest['apps'][number]) => [id, role]
