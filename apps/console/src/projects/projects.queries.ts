import { type Project, projectEndpoints } from '@pult/contract'
import { type QueryFunctionContext, queryOptions, useQuery } from '@tanstack/react-query'
import { api } from '#platform/api.ts'
import { ApiError } from '#platform/api-error.ts'
import { projectOfAddress } from '#platform/project-address.ts'
import { callOf } from '#platform/query-client.ts'
import { storage } from '#platform/storage.ts'

/** The active project of the console: the one in the URL, else the stored one, else the first; null without any. */
export const activeProjectQuery = queryOptions({
  queryKey: ['projects', 'active'],
  queryFn: findActiveProject,
})

async function findActiveProject(context: QueryFunctionContext): Promise<Project | null> {
  const call = callOf(context)
  // The page keeps its initial project, even if the stored or the first project changes.
  const initialId = context.client.getQueryData<Project | null>(context.queryKey)?._id
  const stored = storage.activeProjectId.read()
  for (const id of new Set([initialId, projectOfAddress(), stored])) {
    const project = id ? await readIfThere(id, call) : null
    if (project !== null) return project
  }
  const { items } = await api(projectEndpoints.list, { ...call, query: { limit: '1' } })
  const first = items[0] ?? null
  if (stored !== null) storage.activeProjectId.write(first?._id ?? null)
  return first
}

async function readIfThere(projectId: string, call: ReturnType<typeof callOf>): Promise<Project | null> {
  try {
    return await api(projectEndpoints.read, { ...call, params: { projectId } })
  } catch (error) {
    if (error instanceof ApiError && error.code === 'NOT_FOUND') return null
    throw error
  }
}

/** Returns {@link activeProjectQuery}, which the start has loaded. */
export function useActiveProject(): Project | null {
  return useQuery(activeProjectQuery).data ?? null
}
