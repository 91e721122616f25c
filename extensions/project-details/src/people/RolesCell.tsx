import { useCredentials } from '@pult/sdk'
import type { Product, Project } from '@pult/sdk/api'
import { texts } from '../project-details.texts.ts'
import { managesPeople } from '../rights.ts'
import { GrantRole } from './GrantRole.tsx'
import type { Holder } from './holders.ts'
import styles from './People.module.css'
import { roleLabel } from './RoleOptions.tsx'

interface RolesCellProps {
  person: Holder
  project: Project
  products: readonly Product[] | undefined
}

/** The roles of a person as chips. An owner changes each in place; root edits all of them in a dialog. */
export function RolesCell({ person: { as, grants }, project, products }: RolesCellProps) {
  const { isRoot } = useCredentials()
  const changes = managesPeople(project) && !isRoot && products !== undefined
  return (
    <span className={styles.roles}>
      {as === 'owner' && <RoleChip>{texts.everyRole}</RoleChip>}
      {as === 'organisation owner' && <RoleChip>{texts.organizationOwner}</RoleChip>}
      {grants.map((grant) =>
        changes ? (
          <GrantRole key={grant._id} grant={grant} project={project} products={products} />
        ) : (
          <RoleChip key={grant._id}>
            {grant.productRole === null ? texts.noRole : roleLabel(grant.productRole, products)}
          </RoleChip>
        ),
      )}
    </span>
  )
}

export const RoleChip = ({ children }: { children: string }) => (
  <span className={styles.chip}>{children}</span>
)
