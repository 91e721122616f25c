import type { AppManifest, ExtensionManifest, Product } from '@pult/contract'
import type { Language } from '#platform/language.ts'
import { inLanguage } from './in-language.ts'

type ExtensionProduct = ExtensionManifest['products'][number] &
  Pick<ExtensionManifest, 'description' | 'descriptions'> & { extension: string }

/** A kind of task that an extension's service drives. */
type ServiceTask = NonNullable<ExtensionManifest['tasks']>[number] & {
  /** `{extension}/{kind}`. */
  type: string
  /** The products of the extension and of its apps. */
  skus: ReadonlySet<string>
}

/** The fields of a grant that the registry needs. */
export interface GrantedRole {
  projectId: string
  productRole: string
}

/** Holds the products, roles and apps of the running extensions. It changes while the server runs. */
export function createProductRegistry() {
  let products = new Map<string, ExtensionProduct>()
  let unfolded = new Map<string, readonly string[]>()
  let apps = new Map<string, AppManifest>()
  let taskKinds: ServiceTask[] = []

  return {
    /** Replaces the running extensions. */
    replace(manifests: readonly ExtensionManifest[]): void {
      const all = manifests.flatMap(({ id, products: ofManifest, description, descriptions }) =>
        ofManifest.map((product) => ({ ...product, description, descriptions, extension: id })),
      )
      products = new Map(all.map((product) => [product.sku, product]))
      unfolded = new Map(
        all.flatMap(({ sku, roles }) => roles.map((role) => [`${sku}/${role.id}`, role.roles] as const)),
      )
      apps = new Map(manifests.flatMap((manifest) => manifest.apps.map((app) => [app.id, app] as const)))
      taskKinds = manifests.flatMap(({ id, tasks = [], products: ofManifest, apps: ofExtension }) => {
        const skus = new Set([
          ...ofManifest.map(({ sku }) => sku),
          ...ofExtension.map((app) => app.productSku),
        ])
        return tasks.map((task) => ({ ...task, type: `${id}/${task.kind}`, skus }))
      })
    },

    list: (language: Language = 'de'): Product[] =>
      [...products.values()].map((product) => {
        const tasks = taskKinds.filter(({ skus }) => skus.has(product.sku))
        return productOf(inLanguage({ ...product, tasks }, language))
      }),
    has: (sku: string): boolean => products.has(sku),
    findApp: (appId: string): AppManifest | undefined => apps.get(appId),

    /** Returns the labels of product roles; a role that no running extension defines has none. */
    roleLabels: (productRoles: readonly string[], language: Language): string[] =>
      productRoles.flatMap((productRole) => {
        const [sku = '', id = ''] = productRole.split('/')
        const role = products.get(sku)?.roles.find((one) => one.id === id)
        return role === undefined ? [] : inLanguage(role, language).label
      }),

    /** Returns the product roles of these products that include a role, the lowest first. */
    rolesWith: (role: string, skus: readonly string[], language: Language): { id: string; label: string }[] =>
      [...products.values()]
        .filter(({ sku }) => skus.includes(sku))
        .flatMap(({ sku, roles }) =>
          roles
            .filter((one) => one.roles.includes(role))
            .map((one) => ({
              id: `${sku}/${one.id}`,
              label: inLanguage(one, language).label,
              size: one.roles.length,
            })),
        )
        .toSorted((a, b) => a.size - b.size)
        .map(({ id, label }) => ({ id, label })),

    /** Returns whether a product role belongs to one of these products. */
    hasRole: (productRole: string, skus: readonly string[]): boolean =>
      unfolded.has(productRole) && skus.includes(productRole.split('/')[0] ?? ''),

    /**
     * Returns the kinds of tasks that extension services drive in a project with these products:
     * `{extension}/{kind}`.
     */
    taskTypesOf: (skus: readonly string[]): string[] =>
      taskKinds.filter((task) => skus.some((sku) => task.skus.has(sku))).map(({ type }) => type),

    /**
     * Returns `p-{projectId}/r-{role}` for every role that the grants unfold to, without duplicates. Roles that no
     * running extension defines yield no entry.
     */
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
  description,
  suggested,
  extension,
  roles,
  tasks,
}: ExtensionProduct & { tasks: readonly ServiceTask[] }): Product => ({
  sku,
  label,
  description: description ?? '',
  isSuggested: suggested === true,
  extension,
  roles: roles.map((role) => ({ id: `${sku}/${role.id}`, label: role.label, roles: role.roles })),
  tasks: tasks.map((task) => ({ type: task.type, label: task.label })),
})
