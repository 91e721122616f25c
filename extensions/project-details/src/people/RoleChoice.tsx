import type { Product, Project } from '@pult/sdk/api'
import { texts } from '../project-details.texts.ts'
import styles from './People.module.css'
import { roleLabel } from './RoleOptions.tsx'

interface RoleChoiceProps {
  products: readonly Product[]
  project: Pick<Project, 'products'>
  /** Roles that stay in the list although the project's products do not contain them. */
  held: readonly string[]
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
}

/** Checkboxes for the roles of the project's products. */
export function RoleChoice({ products, project, held, chosen, onChange }: RoleChoiceProps) {
  const used = products.filter(({ sku, roles }) => project.products.includes(sku) && roles.length > 0)
  const offered = new Set(used.flatMap(({ roles }) => roles.map(({ id }) => id)))
  const foreign = held.filter((role) => !offered.has(role))
  const toggle = (role: string, isChosen: boolean) =>
    onChange(isChosen ? [...chosen, role] : chosen.filter((each) => each !== role))
  const option = (role: string, label: string) => (
    <label key={role} className={styles.option}>
      <input
        type="checkbox"
        checked={chosen.includes(role)}
        onChange={({ target }) => toggle(role, target.checked)}
      />
      {label}
    </label>
  )
  return (
    <>
      {used.map(({ sku, label, roles }) => (
        <fieldset key={sku} className={styles.product}>
          <legend>{label}</legend>
          {roles.map((role) => option(role.id, role.label))}
        </fieldset>
      ))}
      {foreign.map((role) => option(role, texts.foreignRole(roleLabel(role, products))))}
    </>
  )
}
