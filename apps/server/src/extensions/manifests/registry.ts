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
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  for (const name of names.toSorted()) {
    const text = await readFile(join(folder, name, 'manifest.json'), 'utf8').catch(() => undefined)
    if (text === undefined) continue
    const parsed = parseManifest(text)
    if ('problem' in parsed) problems.push(`${name}: ${parsed.problem}`)
    else if (manifests.some(({ id }) => id === parsed.manifest.id)) {
      problems.push(`${name}: there is an extension called ${parsed.manifest.id} already`)
    } else manifests.push(parsed.manifest)
  }
  return { manifests, problems }
}

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
      // The first one keeps its name; readers of the log learn of the second when it is installed.
      if (products.has(sku)) continue
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
