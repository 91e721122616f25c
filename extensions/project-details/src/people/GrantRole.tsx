import { useCredentials, useNotify } from '@pult/sdk'
import type { Grant, Project } from '@pult/sdk/api'
import { SelectField } from '@pult/sdk/ui'
import { useChangeRole, useProducts } from '../project-details.queries.ts'
import { texts } from '../project-details.texts.ts'
import styles from './People.module.css'
import { RoleOptions, roleLabel } from './RoleOptions.tsx'

interface GrantRoleProps {
  grant: Grant
  project: Project
  readOnly: boolean
}

/** The role of a grant; a choice takes effect at once. */
export function GrantRole({ grant: { _id, name, productRole }, project, readOnly }: GrantRoleProps) {
  const { isRoot } = useCredentials()
  const { data: products } = useProducts()
  const { mutateAsync: change, isPending, variables } = useChangeRole()
  const notify = useNotify()
  const nameOf = (role: string | null) => (role === null ? texts.noRole : roleLabel(role, products))
  if (readOnly || products === undefined) return nameOf(productRole)

  const choose = async (chosen: string) => {
    try {
      await change({ grantId: _id, productRole: chosen === '' ? null : chosen })
      notify({ title: texts.roleChanged(name), tone: 'success' })
    } catch (error) {
      notify({ title: texts.roleFailed, error })
    }
  }
  const shown = isPending ? variables.productRole : productRole
  return (
    <SelectField
      className={styles.role}
      label={texts.roleOf(name, nameOf(shown))}
      hideLabel
      value={shown ?? ''}
      onChange={({ target }) => void choose(target.value)}
    >
      {(shown === null || isRoot) && (
        // An owner gives roles; to take one away is for root.
        <option value="" disabled={!isRoot}>
          {texts.noRole}
        </option>
      )}
      <RoleOptions products={products} project={project} current={shown} />
    </SelectField>
  )
}
