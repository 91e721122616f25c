import { useNotify } from '@pult/sdk'
import type { Grant, Product, Project } from '@pult/sdk/api'
import { SelectField } from '@pult/sdk/ui'
import { useChangeRole } from '../project-details.queries.ts'
import { texts } from '../project-details.texts.ts'
import styles from './People.module.css'
import { RoleOptions, roleLabel } from './RoleOptions.tsx'

interface GrantRoleProps {
  grant: Grant
  project: Project
  products: readonly Product[]
}

/** The role of a grant; a choice takes effect immediately. */
export function GrantRole({ grant: { _id, name, productRole }, project, products }: GrantRoleProps) {
  const { mutateAsync: change, isPending, variables } = useChangeRole()
  const notify = useNotify()
  const nameOf = (role: string | null) => (role === null ? texts.noRole : roleLabel(role, products))

  const choose = async (chosen: string) => {
    try {
      await change({ grantId: _id, productRole: chosen })
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
      {shown === null && (
        // Cannot be chosen: an owner changes roles, and only root removes them.
        <option value="" disabled>
          {texts.noRole}
        </option>
      )}
      <RoleOptions products={products} project={project} current={shown} />
    </SelectField>
  )
}
