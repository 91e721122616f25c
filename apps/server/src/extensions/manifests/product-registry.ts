import type { AppManifest, ExtensionManifest, Product } from '@pult/contract'
import type { Language } from '#platform/language.ts'
import { inLanguage } from './in-language.ts'

type BroughtProduct = ExtensionManifest['products'][number] & { extension: string }

/** A grant as the registry needs to know it. */
export interface GrantedRole {
  projectId: string
  productRole: string
}

/** What the extensions that run bring: products with their roles, and apps. It changes while the server runs. */
export function createProductRegistry() {
  let products = new Map<string, BroughtProduct>()
  let unfolded = new Map<string, readonly string[]>()
  let apps = new Map<string, AppManifest>()
  /** By `{extension}/{kind}`, the products with which the extension is part of a project. */
  let taskKinds = new Map<string, ReadonlySet<string>>()

  return {
    /** These are the extensions now. */
    replace(manifests: readonly ExtensionManifest[]): void {
      const all = manifests.flatMap(({ id, products: brought }) =>
        brought.map((product) => ({ ...product, extension: id })),
      )
      products = new Map(all.map((product) => [product.sku, product]))
      unfolded = new Map(
        all.flatMap(({ sku, roles }) => roles.map((role) => [`${sku}/${role.id}`, role.roles] as const)),
      )
      apps = new Map(manifests.flatMap((manifest) => manifest.apps.map((app) => [app.id, app] as const)))
      taskKinds = new Map(
        manifests.flatMap(({ id, tasks = [], products: brought, apps: ofExtension }) => {
          const skus = new Set([
            ...brought.map(({ sku }) => sku),
            ...ofExtension.map((app) => app.productSku),
          ])
          return tasks.map(({ kind }) => [`${id}/${kind}`, skus] as const)
        }),
      )
    },

    list: (language: Language = 'de'): Product[] =>
      [...products.values()].map((product) => productOf(inLanguage(product, language))),
    has: (sku: string): boolean => products.has(sku),
    findApp: (appId: string): AppManifest | undefined => apps.get(appId),

    /** Whether a product role is one of these products'. */
    hasRole: (productRole: string, skus: readonly string[]): boolean =>
      unfolded.has(productRole) && skus.includes(productRole.split('/')[0] ?? ''),

    /** The kinds of tasks that the services of extensions drive in a project with these products: `{extension}/{kind}`. */
    taskTypesOf: (skus: readonly string[]): string[] =>
      [...taskKinds].filter(([, of]) => skus.some((sku) => of.has(sku))).map(([type]) => type),

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

const productOf = ({ sku, label, extension, roles }: BroughtProduct): Product => ({
  sku,
  label,
  extension,
  roles: roles.map((role) => ({ id: `${sku}/${role.id}`, label: role.label, roles: role.roles })),
})
