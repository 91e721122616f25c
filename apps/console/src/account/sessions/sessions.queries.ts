import { ownSessionEndpoints } from '@pult/contract'
import {
  infiniteQueryOptions,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { api } from '#platform/api.ts'

const sessionsQuery = queryOptions({
  queryKey: ['account', 'sessions'],
  queryFn: async ({ signal }) => (await api(ownSessionEndpoints.list, { signal })).items,
})

const activityQuery = infiniteQueryOptions({
  queryKey: ['account', 'activity'],
  queryFn: ({ signal, pageParam }) =>
    api(ownSessionEndpoints.activity, { signal, query: pageParam === null ? {} : { after: pageParam } }),
  initialPageParam: null as string | null,
  getNextPageParam: ({ next }) => next ?? null,
})

/** The user's sessions, this one first. */
export const useSessions = () => useQuery(sessionsQuery)

/** The account's events, newest first, page by page. */
export const useActivity = () => useInfiniteQuery(activityQuery)

function useEnding<Input>(end: (input: Input) => Promise<unknown>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: end,
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
        queryClient.invalidateQueries({ queryKey: activityQuery.queryKey }),
      ]),
  })
}

export const useEndSession = () =>
  useEnding((sessionId: string) => api(ownSessionEndpoints.end, { params: { sessionId } }))

export const useEndOtherSessions = () => useEnding(() => api(ownSessionEndpoints.endOthers))
