import { useApi, usePagedList } from '@pult/sdk'
import {
  type Account,
  productEndpoints,
  projectEndpoints,
  rootGrantEndpoints,
  rootPeopleEndpoints,
  rootSessionEndpoints,
} from '@pult/sdk/api'
import { useQuery, useQueryClient } from '@tanstack/react-query'

const all = 'app-accounts'

export function useAccountList(search: string) {
  const call = useApi()
  return usePagedList<Account>({
    queryKey: [all, 'list', search],
    fetchPage: ({ after, signal, background }) =>
      call(rootPeopleEndpoints.list, {
        query: { ...(after !== undefined && { after }), ...(search !== '' && { search }) },
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

/** As many as are seen at a glance; more words find the others. */
const matchesShown = 6

/** Projects that match what was typed, for somebody to choose from. */
export function useProjectMatches(search: string) {
  const call = useApi()
  return useQuery({
    queryKey: [all, 'projects', search],
    queryFn: async ({ signal }) => {
      const query = { limit: String(matchesShown), ...(search !== '' && { search }) }
      const { items } = await call(projectEndpoints.list, { query, signal })
      return items
    },
    placeholderData: (before) => before,
  })
}

/** What roles there are: of each product by its sku. */
export function useProducts() {
  const call = useApi()
  return useQuery({
    queryKey: [all, 'products'],
    queryFn: ({ signal }) => call(productEndpoints.list, { signal }),
    select: ({ items }) => items,
  })
}

/** Reads again what is on screen of accounts, after one of them has changed. */
export function useReadAgain(): () => Promise<void> {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: [all] })
}
