import type { AppManifest, ExtensionManifest, Product } from '@pult/contract'

/** A grant as the registry needs to know it. */
export interface GrantedRole {
  projectId: string
  productRole: string
}

/** What the extensions that run bring: products with their roles, and apps. It changes while the server runs. */
export function createProductRegistry() {
  let products = new Map<string, Product>()
  let unfolded = new Map<string, readonly string[]>()
  let apps = new Map<string, AppManifest>()

  return {
    /** These are the extensions now. */
    replace(manifests: readonly ExtensionManifest[]): void {
      const all = manifests.flatMap(({ id, products: brought }) =>
        brought.map((product) => ({ ...product, extension: id })),
      )
      products = new Map(all.map((product) => [product.sku, productOf(product)]))
      unfolded = new Map(
        all.flatMap(({ sku, roles }) => roles.map((role) => [`${sku}/${role.id}`, role.roles] as const)),
      )
      apps = new Map(manifests.flatMap((manifest) => manifest.apps.map((app) => [app.id, app] as const)))
    },

    list: (): Product[] => [...products.values()],
    find: (sku: string): Product | undefined => products.get(sku),
    findApp: (appId: string): AppManifest | undefined => apps.get(appId),

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

const productOf = ({
  sku,
  label,
  extension,
  roles,
}: ExtensionManifest['products'][number] & { extension: string }): Product => ({
  sku,
  label,
  extension,
  roles: roles.map((role) => ({ id: `${sku}/${role.id}`, label: role.label, roles: role.roles })),
})
