import { ownExtensionSettingsEndpoints } from '@pult/contract'
import { useCall } from '@pult/sdk'
import { useActiveProject } from '../../projects/projects.queries.ts'

/** The query parameter of the project whose apps the user sees. */
export function useProjectQuery(): { project?: string } {
  const project = useActiveProject()
  return project === null ? {} : { project: project._id }
}

/** The user's own settings of extensions. */
export const useOwnAppSettings = () =>
  useCall(
    ownExtensionSettingsEndpoints.ofPerson,
    { query: useProjectQuery() },
    { select: ({ items }) => items },
  )
