import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type AppManifest, type ExtensionManifest, extensionManifest, type Product } from '@pult/contract'
import * as z from 'zod/mini'

/** A grant as the registry needs to know it. */
export interface GrantedRole {
  projectId: string
  productRole: string
}

/**
 * Reads the manifests below a folder, one folder an extension. One that is not valid is left out, with the reason, and
 * does not keep the others from being there.
 */
export async function readManifests(
  folder: string,
): Promise<{ manifests: ExtensionManifest[]; problems: string[] }> {
  const manifests: ExtensionManifest[] = []
  const problems: string[] = []
  const names = await readdir(folder).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  })
  for (const name of names.toSorted((a, b) => a.localeCompare(b))) {
    const text = await readFile(join(folder, name, 'manifest.json'), 'utf8').catch(() => undefined)
    if (text === undefined) continue
    const parsed = parseManifest(text)
    const problem = 'problem' in parsed ? parsed.problem : takenName(parsed.manifest, manifests)
    if (problem !== undefined) problems.push(`${name}: ${problem}`)
    if ('manifest' in parsed && problem === undefined) manifests.push(parsed.manifest)
  }
  return { manifests, problems }
}

/** Ids and skus stand for one thing in an installation; `root` is the product of root apps, which no project uses. */
function takenName(
  { id, products, apps }: ExtensionManifest,
  others: readonly ExtensionManifest[],
): string | undefined {
  if (others.some((other) => other.id === id)) return `there is an extension called ${id} already`
  const skus = ['root', ...others.flatMap((other) => other.products.map(({ sku }) => sku))]
  const appIds = others.flatMap((other) => other.apps.map((app) => app.id))
  const sku = firstTaken(
    products.map((product) => product.sku),
    skus,
  )
  if (sku !== undefined) return `the product ${sku} is taken`
  const appId = firstTaken(
    apps.map((app) => app.id),
    appIds,
  )
  return appId === undefined ? undefined : `the app ${appId} is taken`
}

const firstTaken = (names: readonly string[], taken: readonly string[]): string | undefined =>
  names.find((name, index) => taken.includes(name) || names.indexOf(name) !== index)

function parseManifest(text: string): { manifest: ExtensionManifest } | { problem: string } {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return { problem: 'manifest.json is not JSON' }
  }
  const parsed = extensionManifest.safeParse(json)
  if (parsed.success) return { manifest: parsed.data }
  return { problem: z.prettifyError(parsed.error) }
}

/** What the installed extensions bring: products with their roles, and apps. */
export function createProductRegistry(manifests: readonly ExtensionManifest[]) {
  const products = new Map<string, Product>()
  const unfolded = new Map<string, readonly string[]>()
  for (const { id: extension, products: brought } of manifests) {
    for (const { sku, label, roles } of brought) {
      products.set(sku, {
        sku,
        label,
        extension,
        roles: roles.map((role) => ({ id: `${sku}/${role.id}`, label: role.label, roles: role.roles })),
      })
      for (const role of roles) unfolded.set(`${sku}/${role.id}`, role.roles)
    }
  }
  const apps = manifests.flatMap((manifest) => manifest.apps)

  return {
    list: (): Product[] => [...products.values()],
    find: (sku: string): Product | undefined => products.get(sku),
    findApp: (appId: string): AppManifest | undefined => apps.find(({ id }) => id === appId),

    /** Whether a product role is one of these products'. */
    hasRole: (productRole: string, skus: readonly string[]): boolean =>
      unfolded.has(productRole) && skus.includes(productRole.split('/')[0] ?? ''),

    /** `p-{projectId}/r-{role}` for every role that the grants unfold to, each once. A role nobody brings gives none. */
    scopeOf: (grants: readonly GrantedRole[]): string[] => [
      ...new Set(
        grants.flatMap(({ projectId, productRole }) =>
          (unfolded.get(productRole) ?? []).map((role) => `p-${projectId}/r-${role}`),
        ),
      ),
    ],
  }
}
export type ProductRegistry = ReturnType<typeof createProductRegistry>
