import { ownExtensionSettingsEndpoints } from '@pult/contract'
import { useQuery } from '@tanstack/react-query'
import { api } from '#platform/api.ts'
import { useActiveProject } from '../../projects/projects.queries.ts'

export const ownAppSettingsKey = ['settings', 'apps']

/** The query parameter of the project whose apps the user sees. */
export function useProjectQuery(): { project?: string } {
  const project = useActiveProject()
  return project === null ? {} : { project: project._id }
}

/** The user's own settings of extensions. */
export function useOwnAppSettings() {
  const query = useProjectQuery()
  return useQuery({
    queryKey: [...ownAppSettingsKey, query.project ?? null],
    queryFn: async ({ signal }) =>
      (await api(ownExtensionSettingsEndpoints.ofPerson, { query, signal })).items,
  })
}
