import type { Product, Project } from '@pult/sdk/api'
import { texts } from '../project-details.texts.ts'

interface RoleOptionsProps {
  products: readonly Product[]
  project: Pick<Project, 'products'>
  /** A role that stays in the list although the project's products do not contain it. */
  current?: string | null
}

/** The selectable roles of the project's products. Each names its product, because the closed select shows only one. */
export function RoleOptions({ products, project, current = null }: RoleOptionsProps) {
  const used = products.filter(({ sku, roles }) => project.products.includes(sku) && roles.length > 0)
  const isForeign = current !== null && !used.some(({ roles }) => roles.some(({ id }) => id === current))
  return (
    <>
      {isForeign && <option value={current}>{texts.foreignRole(roleLabel(current, products))}</option>}
      {used.flatMap(({ roles }) =>
        roles.map(({ id }) => (
          <option key={id} value={id}>
            {roleLabel(id, products)}
          </option>
        )),
      )}
    </>
  )
}

/** Returns the label of a role with its product, or its id while the labels are unknown. */
export function roleLabel(productRole: string, products: readonly Product[] = []): string {
  for (const { label, roles } of products) {
    const role = roles.find(({ id }) => id === productRole)
    if (role) return `${label}: ${role.label}`
  }
  return productRole
}
