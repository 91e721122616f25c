import type { AppManifest, ExtensionManifest, Product } from '@pult/contract'
import type { Language } from '#platform/language.ts'
import { inLanguage } from './in-language.ts'
import { foreignTo } from './rights.ts'

type ManifestProduct = ExtensionManifest['products'][number]

type ProductRole = ManifestProduct['roles'][number] & {
  /** Entries of apps of other extensions. */
  foreign: readonly string[]
}

type ExtensionProduct = Omit<ManifestProduct, 'roles'> &
  Pick<ExtensionManifest, 'description' | 'descriptions'> & { extension: string; roles: ProductRole[] }

/** A kind of task that an extension's service drives. */
type ServiceTask = NonNullable<ExtensionManifest['tasks']>[number] & {
  /** `{extension}/{kind}`. */
  type: string
  /** The products of the extension and of its apps. */
  skus: ReadonlySet<string>
}

interface RoleLabel {
  /** `{sku}/{role}`. */
  id: string
  label: string
}

/**
 * Returns whether a product role permits more than to read. The role of an app only opens it; `{app}:{more}` goes beyond.
 * If a product has one role for an app, its holders do everything.
 */
const mayWrite = ({ roles }: ProductRole, product: ExtensionProduct): boolean =>
  roles.some((role) => role.includes(':')) ||
  (roles.length > 0 &&
    !product.roles.some(
      (other) => other.roles.length > roles.length && roles.every((role) => other.roles.includes(role)),
    ))

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

  /** Returns some product roles of these products, the lowest first. */
  function rolesOf(
    skus: readonly string[],
    language: Language,
    isMeant: (role: ProductRole, product: ExtensionProduct) => boolean,
  ): RoleLabel[] {
    return [...products.values()]
      .filter(({ sku }) => skus.includes(sku))
      .flatMap((product) =>
        product.roles
          .filter((role) => isMeant(role, product))
          .map((role) => ({
            id: `${product.sku}/${role.id}`,
            label: labelOf(role, language),
            size: role.roles.length,
          })),
      )
      .toSorted((a, b) => a.size - b.size)
      .map(({ id, label }) => ({ id, label }))
  }

  return {
    /** Replaces the running extensions. Their roles hold only the entries that root has allowed. */
    replace(manifests: readonly ExtensionManifest[]): void {
      const all = manifests.flatMap((manifest) => {
        const { id, products: ofManifest, description, descriptions } = manifest
        const isForeign = foreignTo(manifest, manifests)
        return ofManifest.map((product) => ({
          ...product,
          description,
          descriptions,
          extension: id,
          roles: product.roles.map((role) => ({ ...role, foreign: role.roles.filter(isForeign) })),
        }))
      })
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
        return productOf({ ...product, tasks }, language)
      }),
    has: (sku: string): boolean => products.has(sku),
    findApp: (appId: string): AppManifest | undefined => apps.get(appId),

    /** Returns the labels of product roles; a role that no running extension defines has none. */
    roleLabels: (productRoles: readonly string[], language: Language): string[] =>
      productRoles.flatMap((productRole) => {
        const [sku = '', id = ''] = productRole.split('/')
        const role = products.get(sku)?.roles.find((one) => one.id === id)
        return role === undefined ? [] : labelOf(role, language)
      }),

    /** Returns the product roles of these products that include a role, the lowest first. */
    rolesWith: (role: string, skus: readonly string[], language: Language): RoleLabel[] =>
      rolesOf(skus, language, (one) => one.roles.includes(role)),

    /** Returns the product roles of these products that permit more than to read, the lowest first. */
    writingRoles: (skus: readonly string[], language: Language): RoleLabel[] =>
      rolesOf(skus, language, mayWrite),

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

/**
 * Returns the label of a role for the pages that show and grant it. It names the roles of apps of other extensions,
 * which no user expects of a role of this product.
 */
function labelOf(role: ProductRole, language: Language): string {
  const { label } = inLanguage(role, language)
  return role.foreign.length === 0 ? label : `${label} (+ ${role.foreign.join(', ')})`
}

function productOf(
  product: ExtensionProduct & { tasks: readonly ServiceTask[] },
  language: Language,
): Product {
  const { sku, label, description, suggested, extension, tasks } = inLanguage(product, language)
  return {
    sku,
    label,
    description: description ?? '',
    isSuggested: suggested === true,
    extension,
    roles: product.roles.map((role) => ({
      id: `${sku}/${role.id}`,
      label: labelOf(role, language),
      roles: role.roles,
    })),
    tasks: tasks.map((task) => ({ type: task.type, label: task.label })),
  }
}
