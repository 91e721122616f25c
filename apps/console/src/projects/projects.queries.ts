import { type Project, projectEndpoints } from '@pult/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { api } from '#platform/api.ts'
import { storage } from '#platform/storage.ts'

export const projectsQuery = queryOptions({
  queryKey: ['projects'],
  queryFn: async ({ signal }) => (await api(projectEndpoints.list, { signal })).items,
})

/** The project whose id is stored if it still exists, else the first one. */
export function activeProjectOf(projects: readonly Project[]): Project | null {
  const id = storage.activeProjectId.read()
  return projects.find((project) => project._id === id) ?? projects[0] ?? null
}

/** The project the console works on; null when the person has none. The boot has loaded it. */
export function useActiveProject(): Project | null {
  const { data = [] } = useQuery(projectsQuery)
  return activeProjectOf(data)
}
