import { extensionEndpoints } from '@pult/contract'
import { queryOptions } from '@tanstack/react-query'
import { api } from '#platform/api.ts'

/** The fragments that the person may load: those of the project's apps, without a project those of root apps. */
export const fragmentsQuery = (projectId: string | null) =>
  queryOptions({
    queryKey: ['probe', projectId],
    queryFn: ({ signal }) =>
      api(extensionEndpoints.probe, { query: projectId === null ? {} : { project: projectId }, signal }),
    // What is loaded stays loaded until the page is.
    staleTime: Number.POSITIVE_INFINITY,
  })
