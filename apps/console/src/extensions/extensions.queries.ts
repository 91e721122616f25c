import { extensionEndpoints } from '@pult/contract'
import { useCall } from '@pult/sdk'
import { callQuery } from '@pult/sdk/host'
import { api } from '#platform/api.ts'

/** The fragments that the user may load: those of the project's apps, or those of root apps without a project. */
export const fragmentsQuery = (projectId: string | null) =>
  callQuery(
    api,
    extensionEndpoints.probe,
    { query: { project: projectId ?? undefined } },
    // Loaded code stays loaded for the lifetime of the page.
    { staleTime: Number.POSITIVE_INFINITY },
  )

/** The fragments for a choice of the apps of any project. */
export const useFragments = (project: string | null) =>
  useCall(
    extensionEndpoints.probe,
    { query: { project: project ?? undefined } },
    { staleTime: Number.POSITIVE_INFINITY },
  )
