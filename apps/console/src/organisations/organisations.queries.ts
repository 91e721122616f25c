import {
  type BodyOf,
  matchesSearch,
  type Organisation,
  organisationEndpoints,
  parseSearch,
} from '@pult/contract'
import { useCall, useChange } from '@pult/sdk'
import { keyOf } from '@pult/sdk/host'
import { whileOpen } from '@pult/sdk/resource'
import { keepPreviousData } from '@tanstack/react-query'
import { queryClient } from '#platform/query-client.ts'
import { type SearchedList, useSearchedList } from '#platform/searched-list/searched-list.ts'

const organisationList: SearchedList<Organisation> = {
  endpoint: organisationEndpoints.list,
  input: {},
  matches: ({ label }, search) =>
    matchesSearch(parseSearch(search, ['label']), { text: [label], fields: { label } }),
}

/** The user's organisations (all for root), page by page. */
export const useOrganisationList = (search: string) => useSearchedList(organisationList, search)

/** The largest page, for choosing from a list. */
export const useOrganisationChoices = (search: string) =>
  useCall(
    organisationEndpoints.list,
    { query: { search, limit: '200' } },
    { placeholderData: keepPreviousData },
  )

/** `isLeft`: its page is about to close. */
export const useOrganisation = (orgId: string, isLeft: boolean) =>
  useCall(organisationEndpoints.read, { params: { orgId } }, { every: whileOpen, enabled: !isLeft })

/** The members, the owner first. */
export const useMembers = (orgId: string) =>
  useCall(organisationEndpoints.members, { params: { orgId } }, { select: ({ items }) => items })

/** Open invitations, for users who may edit the organisation. */
export const useInvitations = (orgId: string) =>
  useCall(organisationEndpoints.invitations, { params: { orgId } }, { select: ({ items }) => items })

const readOf = ({ _id }: Organisation) => ({ params: { orgId: _id } })

/** Caches a record that the server has just returned. */
export const showOrganisation = (organisation: Organisation) =>
  void queryClient.setQueryData(keyOf(organisationEndpoints.read, readOf(organisation)), organisation)

/** A change of an organisation concerns its members and invitations as well. */
const touchedOf = (orgId: string) => [`/orgs/${orgId}`, organisationEndpoints.list]

export const useCreateOrganisation = () =>
  useChange(organisationEndpoints.create, (body: { label: string }) => ({ body }), { touches: ['/orgs'] })

interface OrganisationUpdate {
  changes: BodyOf<typeof organisationEndpoints.update>
  revision: number | undefined
}

export const useUpdateOrganisation = (orgId: string) =>
  useChange(
    organisationEndpoints.update,
    ({ changes, revision }: OrganisationUpdate) => ({ params: { orgId }, body: changes, revision }),
    { touches: touchedOf(orgId), shows: (saved) => [organisationEndpoints.read, readOf(saved)] },
  )

/** Its page stays mounted for a moment and must not read the organisation again. */
const leaving = (orgId: string) => ({ touches: [organisationEndpoints.list], leaves: `/orgs/${orgId}` })

export const useRemoveOrganisation = (orgId: string) =>
  useChange(organisationEndpoints.remove, () => ({ params: { orgId } }), leaving(orgId))

/** Leaves the organisation. */
export const useLeaveOrganisation = (orgId: string, ownId: string) =>
  useChange(
    organisationEndpoints.removeMember,
    () => ({ params: { orgId, personId: ownId } }),
    leaving(orgId),
  )

export const useRemoveMember = (orgId: string) =>
  useChange(organisationEndpoints.removeMember, (personId: string) => ({ params: { orgId, personId } }), {
    touches: touchedOf(orgId),
  })

export const useInvite = (orgId: string) =>
  useChange(organisationEndpoints.invite, (email: string) => ({ params: { orgId }, body: { email } }), {
    touches: touchedOf(orgId),
  })

export const useResendInvitation = (orgId: string) =>
  useChange(
    organisationEndpoints.resendInvitation,
    (invitationId: string) => ({ params: { orgId, invitationId } }),
    { touches: touchedOf(orgId) },
  )

export const useRevokeInvitation = (orgId: string) =>
  useChange(
    organisationEndpoints.revokeInvitation,
    (invitationId: string) => ({ params: { orgId, invitationId } }),
    { touches: touchedOf(orgId) },
  )
