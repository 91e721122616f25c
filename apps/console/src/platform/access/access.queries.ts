import { accessRequestEndpoints, type BodyOf, collectionChange, type QueryOf } from '@pult/contract'
import { useCall, useChange, useLive } from '@pult/sdk'
import { usePublicSettings } from '#platform/public-settings.queries.ts'

/** The roles that the user can request, and the state of their requests. Live; disabled without a project. */
export function useOffer(projectId: string | undefined, query: QueryOf<typeof accessRequestEndpoints.offer>) {
  useLive(projectId === undefined ? null : 'projects', {
    touches: [accessRequestEndpoints.offer],
    onEvent: ({ data }) => {
      const change = collectionChange.safeParse(data).data
      return change?.id !== projectId || change?.op === 'remove'
    },
  })
  return useCall(
    accessRequestEndpoints.offer,
    projectId === undefined ? null : { params: { projectId }, query },
  )
}

export const useAsk = (projectId: string) =>
  useChange(
    accessRequestEndpoints.create,
    (body: BodyOf<typeof accessRequestEndpoints.create>) => ({ params: { projectId }, body }),
    { touches: [accessRequestEndpoints.offer] },
  )

/** The operator's address for Contact, if there is one. */
export const useContactUrl = () => usePublicSettings().data?.contactUrl
