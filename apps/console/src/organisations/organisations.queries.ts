import {
  type BodyOf,
  matchesSearch,
  type Organisation,
  organisationEndpoints,
  parseSearch,
} from '@pult/contract'
import { refetchWhileOpen, useRepeatableKey } from '@pult/sdk/resource'
import {
  keepPreviousData,
  queryOptions,
  useMutation,
  useMutationState,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { api } from '#platform/api.ts'
import { callOf } from '#platform/query-client.ts'
import { type SearchedList, useSearchedList } from '#platform/searched-list/searched-list.ts'

const everything = { queryKey: ['organisations'] }

const organisationList: SearchedList<Organisation> = {
  queryKey: ['organisations', 'list'],
  fetchPage: (query, call) => api(organisationEndpoints.list, { ...call, query }),
  matches: ({ label }, search) =>
    matchesSearch(parseSearch(search, ['label']), { text: [label], fields: { label } }),
}

/** The user's organisations (all for root), page by page. */
export const useOrganisationList = (search: string) => useSearchedList(organisationList, search)

/** The largest page, for choosing from a list. */
export const useOrganisationChoices = (search: string) =>
  useQuery({
    queryKey: ['organisations', 'choices', search],
    queryFn: async (context) => {
      const query = { limit: '200', ...(search !== '' && { search }) }
      const { items, next } = await api(organisationEndpoints.list, { ...callOf(context), query })
      return { items, hasMore: next !== undefined }
    },
    placeholderData: keepPreviousData,
  })

const organisationQuery = (orgId: string) =>
  queryOptions({
    queryKey: ['organisations', 'one', orgId],
    queryFn: (context) => api(organisationEndpoints.read, { ...callOf(context), params: { orgId } }),
  })

/** `isLeft`: its page is about to close. */
export const useOrganisation = (orgId: string, isLeft: boolean) =>
  useQuery({ ...organisationQuery(orgId), ...refetchWhileOpen, enabled: !useIsLeft(orgId) && !isLeft })

/** The members, the owner first. */
export const useMembers = (orgId: string) =>
  useQuery({
    queryKey: ['organisations', 'members', orgId],
    enabled: !useIsLeft(orgId),
    queryFn: async (context) =>
      (await api(organisationEndpoints.members, { ...callOf(context), params: { orgId } })).items,
  })

/** Open invitations, for users who may edit the organisation. */
export const useInvitations = (orgId: string) =>
  useQuery({
    queryKey: ['organisations', 'invitations', orgId],
    enabled: !useIsLeft(orgId),
    queryFn: async (context) =>
      (await api(organisationEndpoints.invitations, { ...callOf(context), params: { orgId } })).items,
  })

/** Refetches all data of organisations after a change here, or when an error shows that it is stale. */
function useChange<Input, Result>(change: (input: Input) => Promise<Result>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSettled: () => queryClient.invalidateQueries(everything),
  })
}

export function useCreateOrganisation() {
  const keyOf = useRepeatableKey()
  return useChange((body: { label: string }) =>
    api(organisationEndpoints.create, { body, idempotencyKey: keyOf(body) }),
  )
}

interface OrganisationUpdate {
  changes: BodyOf<typeof organisationEndpoints.update>
  revision: number | undefined
}

export function useUpdateOrganisation(orgId: string) {
  const show = useShowOrganisation()
  return useChange(async ({ changes, revision }: OrganisationUpdate) => {
    const saved = await api(organisationEndpoints.update, {
      params: { orgId },
      body: changes,
      ...(revision !== undefined && { revision }),
    })
    show(saved)
    return saved
  })
}

/** Caches a record that the server has just returned. */
export function useShowOrganisation() {
  const queryClient = useQueryClient()
  return (organisation: Organisation) =>
    void queryClient.setQueryData(organisationQuery(organisation._id).queryKey, organisation)
}

const leaving = (orgId: string) => ['organisations', 'leaving', orgId]

/**
 * True from the start of a deletion or departure. Its page stays mounted for a moment and must not refetch the
 * organisation.
 */
const useIsLeft = (orgId: string): boolean =>
  useMutationState({
    filters: {
      mutationKey: leaving(orgId),
      predicate: ({ state: { status } }) => status === 'pending' || status === 'success',
    },
  }).length > 0

function useDeparture(orgId: string, end: () => Promise<unknown>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationKey: leaving(orgId),
    mutationFn: end,
    // Removed from the cache with the page, so that another visit refetches it and gets a 404.
    gcTime: 0,
    onSuccess: () => queryClient.invalidateQueries({ ...everything, refetchType: 'none' }),
  })
}

export const useRemoveOrganisation = (orgId: string) =>
  useDeparture(orgId, () => api(organisationEndpoints.remove, { params: { orgId } }))

/** Leaves the organisation. */
export const useLeaveOrganisation = (orgId: string, ownId: string) =>
  useDeparture(orgId, () => api(organisationEndpoints.removeMember, { params: { orgId, personId: ownId } }))

export const useRemoveMember = (orgId: string) =>
  useChange((personId: string) => api(organisationEndpoints.removeMember, { params: { orgId, personId } }))

export const useInvite = (orgId: string) =>
  useChange((email: string) => api(organisationEndpoints.invite, { params: { orgId }, body: { email } }))

export const useResendInvitation = (orgId: string) =>
  useChange((invitationId: string) =>
    api(organisationEndpoints.resendInvitation, { params: { orgId, invitationId } }),
  )

export const useRevokeInvitation = (orgId: string) =>
  useChange((invitationId: string) =>
    api(organisationEndpoints.revokeInvitation, { params: { orgId, invitationId } }),
  )
