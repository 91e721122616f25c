import { type Project, projectEndpoints } from '@pult/contract'
import { readingOf } from '@pult/sdk/host'
import { type QueryFunctionContext, queryOptions, useQuery } from '@tanstack/react-query'
import { api } from '#platform/api.ts'
import { ApiError } from '#platform/api-error.ts'
import { projectOfAddress } from '#platform/project-address.ts'
import { storage } from '#platform/storage.ts'

/** The active project of the console: the one in the URL, else the stored one, else the first; null without any. */
export const activeProjectQuery = queryOptions({
  // Several calls find it. The key is that of a project's read, so that changes of projects concern it.
  queryKey: ['projects', 'active', {}],
  queryFn: findActiveProject,
})

async function findActiveProject(context: QueryFunctionContext): Promise<Project | null> {
  const reading = readingOf(context)
  // The page keeps its initial project, even if the stored or the first project changes.
  const initialId = context.client.getQueryData<Project | null>(context.queryKey)?._id
  const stored = storage.activeProjectId.read()
  for (const id of new Set([initialId, projectOfAddress(), stored])) {
    const project = id ? await readIfThere(id, reading) : null
    if (project !== null) return project
  }
  const { items } = await api(projectEndpoints.list, { ...reading, query: { limit: '1' } })
  const first = items[0] ?? null
  if (stored !== null) storage.activeProjectId.write(first?._id ?? null)
  return first
}

async function readIfThere(
  projectId: string,
  reading: ReturnType<typeof readingOf>,
): Promise<Project | null> {
  try {
    return await api(projectEndpoints.read, { ...reading, params: { projectId } })
  } catch (error) {
    if (error instanceof ApiError && error.code === 'NOT_FOUND') return null
    throw error
  }
}

/** Returns {@link activeProjectQuery}, which the start has loaded. */
export function useActiveProject(): Project | null {
  return useQuery(activeProjectQuery).data ?? null
}
