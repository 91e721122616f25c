import type { Project, Refusal } from '@pult/contract'
import { AppError } from '#platform/app-error.ts'

/**
 * Returns a FORBIDDEN error that names the roles that grant the permission, and the owner to ask. The caller must see
 * the project.
 */
export const refusal = (
  { _id, owner, ownerName }: Pick<Project, '_id' | 'owner' | 'ownerName'>,
  roles: Refusal['roles'] = [],
): AppError => {
  const data: Refusal = { project: _id, roles, owner: { _id: owner, name: ownerName } }
  const [smallest] = roles
  const message =
    smallest === undefined
      ? {
          de: `Access denied. Only ${ownerName}, who owns the project, and root may do this`,
          'de-DE': `Zugriff verweigert. Das dürfen nur ${ownerName} als Eigentümer des Projekts und Root`,
        }
      : {
          de: `Access denied. This needs the role ${smallest.label}. Ask ${ownerName}`,
          'de-DE': `Zugriff verweigert. Dafür brauchen Sie die Rolle ${smallest.label}. Fragen Sie ${ownerName}`,
        }
  return new AppError('FORBIDDEN', { data, message })
}
