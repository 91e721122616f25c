import { accessRequestEndpoints, type BodyOf, collectionChange, type QueryOf } from '@pult/contract'
import { readAgain } from '@pult/sdk/host'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api } from '#platform/api.ts'
import { publicSettingsQuery } from '#platform/public-settings.queries.ts'
import { callOf, queryClient } from '#platform/query-client.ts'
import { subscribe } from '#platform/realtime.ts'

const keyOf = (projectId: string | undefined) => ['access-offer', projectId]

/** The roles that the user can request, and the state of their requests. Live; disabled without a project. */
export function useOffer(projectId: string | undefined, query: QueryOf<typeof accessRequestEndpoints.offer>) {
  useEffect(
    () =>
      projectId === undefined
        ? undefined
        : subscribe('projects', (news) => {
            const change = news.kind === 'event' ? collectionChange.safeParse(news.data).data : undefined
            if (change?.id === projectId && change.op !== 'remove')
              void readAgain(queryClient, keyOf(projectId))
          }),
    [projectId],
  )
  return useQuery({
    queryKey: [...keyOf(projectId), query],
    queryFn: (context) =>
      api(accessRequestEndpoints.offer, {
        ...callOf(context),
        params: { projectId: projectId ?? '' },
        query,
      }),
    enabled: projectId !== undefined,
  })
}

export const useAsk = (projectId: string) =>
  useMutation({
    mutationFn: (body: BodyOf<typeof accessRequestEndpoints.create>) =>
      api(accessRequestEndpoints.create, { params: { projectId }, body }),
    onSettled: () => void readAgain(queryClient, keyOf(projectId)),
  })

/** The operator's address for Contact, if there is one. */
export const useContactUrl = () => useQuery(publicSettingsQuery).data?.contactUrl
