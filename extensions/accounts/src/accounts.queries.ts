import { useApi, usePagedList } from '@pult/sdk'
import { productEndpoints, projectEndpoints, type QueryOf, type ReplyOf } from '@pult/sdk/api'
import {
  type Account,
  rootGrantEndpoints,
  rootPeopleEndpoints,
  rootSessionEndpoints,
} from '@pult/sdk/api/root'
import { useQuery, useQueryClient } from '@tanstack/react-query'

const all = 'app-accounts'

type ListQuery = Pick<QueryOf<typeof rootPeopleEndpoints.list>, 'search' | 'state' | 'sort'>

export function useAccountList(listQuery: ListQuery) {
  const call = useApi()
  return usePagedList<Account, ReplyOf<typeof rootPeopleEndpoints.list>>({
    queryKey: [all, 'list', listQuery],
    fetchPage: ({ after, signal, background }) =>
      call(rootPeopleEndpoints.list, {
        query: { ...listQuery, ...(after !== undefined && { after }) },
        signal,
        background,
      }),
  })
}

export function useAccount(personId: string) {
  const call = useApi()
  return useQuery({
    queryKey: [all, 'account', personId],
    queryFn: ({ signal }) => call(rootPeopleEndpoints.read, { params: { personId }, signal }),
  })
}

export function useBelongings(personId: string) {
  const call = useApi()
  return useQuery({
    queryKey: [all, 'belongings', personId],
    queryFn: ({ signal }) => call(rootPeopleEndpoints.belongings, { params: { personId }, signal }),
  })
}

export function useSessions(personId: string) {
  const call = useApi()
  return useQuery({
    queryKey: [all, 'sessions', personId],
    queryFn: ({ signal }) => call(rootSessionEndpoints.list, { params: { personId }, signal }),
  })
}

export function useGrants(personId: string) {
  const call = useApi()
  return useQuery({
    queryKey: [all, 'grants', personId],
    queryFn: ({ signal }) => call(rootGrantEndpoints.ofPerson, { params: { personId }, signal }),
  })
}

export function useInvitations() {
  const call = useApi()
  return useQuery({
    queryKey: [all, 'invitations'],
    queryFn: ({ signal }) => call(rootPeopleEndpoints.invitations, { signal }),
  })
}

/** Maximum number of shown matches. A longer search text finds the others. */
const matchesShown = 20

/** The first projects that match the search text. */
export function useProjectMatches(search: string) {
  const call = useApi()
  return useQuery({
    queryKey: [all, 'projects', search],
    queryFn: async ({ signal }) => {
      const query = { limit: String(matchesShown), ...(search !== '' && { search }) }
      const { items, next } = await call(projectEndpoints.list, { query, signal })
      return { items, hasMore: next !== undefined }
    },
    placeholderData: (before) => before,
  })
}

/** The roles of each product by sku. */
export function useProducts() {
  const call = useApi()
  return useQuery({
    queryKey: [all, 'products'],
    queryFn: ({ signal }) => call(productEndpoints.list, { signal }),
    select: ({ items }) => items,
  })
}

/** Returns a function that refetches the shown account data after a change. */
export function useReadAgain(): () => Promise<void> {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: [all] })
}
