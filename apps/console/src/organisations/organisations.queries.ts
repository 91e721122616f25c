import {
  type BodyOf,
  matchesSearch,
  type Organisation,
  organisationEndpoints,
  parseSearch,
} from '@pult/contract'
import { refetchWhileOpen, useRepeatableKey } from '@pult/sdk/resource'
import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '#platform/api.ts'
import { callOf } from '#platform/query-client.ts'
import { type SearchedList, useSearchedList } from '#platform/searched-list.ts'

const everything = { queryKey: ['organisations'] }

const organisationList: SearchedList<Organisation> = {
  queryKey: ['organisations', 'list'],
  fetchPage: (query, call) => api(organisationEndpoints.list, { ...call, query }),
  matches: ({ label }, search) =>
    matchesSearch(parseSearch(search, ['label']), { text: [label], fields: { label } }),
}

/** The organisations that the person belongs to (all for root), page by page. */
export const useOrganisationList = (search: string) => useSearchedList(organisationList, search)

/** As many as one page can hold, for a list to choose from. */
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

export const useOrganisation = (orgId: string) =>
  useQuery({ ...organisationQuery(orgId), ...refetchWhileOpen })

/** Who belongs to it, the owner first. */
export const useMembers = (orgId: string) =>
  useQuery({
    queryKey: ['organisations', 'members', orgId],
    queryFn: async (context) =>
      (await api(organisationEndpoints.members, { ...callOf(context), params: { orgId } })).items,
  })

/** Invitations that nobody has accepted yet; for those who may edit it. */
export const useInvitations = (orgId: string) =>
  useQuery({
    queryKey: ['organisations', 'invitations', orgId],
    queryFn: async (context) =>
      (await api(organisationEndpoints.invitations, { ...callOf(context), params: { orgId } })).items,
  })

/** Has all that is known of organisations read again, once one has changed or turned out to have changed. */
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

/** Shows a record that the server has just answered. */
export function useShowOrganisation() {
  const queryClient = useQueryClient()
  return (organisation: Organisation) =>
    void queryClient.setQueryData(organisationQuery(organisation._id).queryKey, organisation)
}

/** Has nothing read again at once: the page about it is still there and would ask for what is gone. */
function useFarewell(end: () => Promise<unknown>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: end,
    onSuccess: () => queryClient.invalidateQueries({ ...everything, refetchType: 'none' }),
  })
}

export const useRemoveOrganisation = (orgId: string) =>
  useFarewell(() => api(organisationEndpoints.remove, { params: { orgId } }))

/** Takes oneself out. */
export const useLeaveOrganisation = (orgId: string, ownId: string) =>
  useFarewell(() => api(organisationEndpoints.removeMember, { params: { orgId, personId: ownId } }))

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
