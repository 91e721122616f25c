import { backupEndpoints, conditionEndpoints, extensionEndpoints, retentionEndpoints } from '@pult/contract'
import { queryOptions } from '@tanstack/react-query'
import { api } from '#platform/api.ts'
import { readEvery } from '#platform/desk/retry-pause.ts'

/** The fragments that the user may load: those of the project's apps, or those of root apps without a project. */
export const fragmentsQuery = (projectId: string | null) =>
  queryOptions({
    queryKey: ['probe', projectId],
    queryFn: ({ signal }) =>
      api(extensionEndpoints.probe, { query: projectId === null ? {} : { project: projectId }, signal }),
    // Loaded code stays loaded for the lifetime of the page.
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Polling interval, because the condition changes without an event. Milliseconds. */
export const conditionReadEvery = 30_000

/** The condition of the installation, for root. */
export const conditionQuery = queryOptions({
  queryKey: ['condition'],
  queryFn: ({ signal }) => api(conditionEndpoints.read, { signal }),
  refetchInterval: readEvery(conditionReadEvery),
})

/** The stored data of the installation and its retention, for root. */
export const retentionQuery = queryOptions({
  queryKey: ['retention'],
  queryFn: ({ signal }) => api(retentionEndpoints.read, { signal }),
  refetchInterval: readEvery(false),
})

/** The backups of the installation, for root. */
export const backupsQuery = queryOptions({
  queryKey: ['backups'],
  queryFn: ({ signal }) => api(backupEndpoints.read, { signal }),
  refetchInterval: (query) => readEvery(query.state.data?.running ? 1000 : conditionReadEvery)(query),
})
