import { type Project, projectEndpoints } from '@pult/contract'
import { type QueryFunctionContext, queryOptions, useQuery } from '@tanstack/react-query'
import { api } from '#platform/api.ts'
import { ApiError } from '#platform/api-error.ts'
import { callOf } from '#platform/query-client.ts'
import { storage } from '#platform/storage.ts'

/** The project the console works on: the one whose id is stored if it still exists, else the first; null without any. */
export const activeProjectQuery = queryOptions({
  queryKey: ['projects', 'active'],
  queryFn: findActiveProject,
})

async function findActiveProject(context: QueryFunctionContext): Promise<Project | null> {
  const call = callOf(context)
  // The page stays with the project it began with, whatever is stored or comes first meanwhile.
  const begun = context.client.getQueryData<Project | null>(context.queryKey)?._id
  for (const id of [begun, storage.activeProjectId.read()]) {
    const project = id ? await readIfThere(id, call) : null
    if (project !== null) return project
  }
  const { items } = await api(projectEndpoints.list, { ...call, query: { limit: '1' } })
  return items[0] ?? null
}

async function readIfThere(projectId: string, call: ReturnType<typeof callOf>): Promise<Project | null> {
  try {
    return await api(projectEndpoints.read, { ...call, params: { projectId } })
  } catch (error) {
    if (error instanceof ApiError && error.code === 'NOT_FOUND') return null
    throw error
  }
}

/** See {@link activeProjectQuery}. The boot has loaded it. */
export function useActiveProject(): Project | null {
  return useQuery(activeProjectQuery).data ?? null
}
