import { useApi, useProject, useRefreshProject } from '@pult/sdk'
import {
  accessRequestEndpoints,
  type BodyOf,
  extensionEndpoints,
  organisationEndpoints,
  productEndpoints,
  projectEndpoints,
} from '@pult/sdk/api'
import { rootGrantEndpoints, rootPeopleEndpoints } from '@pult/sdk/api/root'
import { compareNames } from '@pult/sdk/ui'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { mayEdit } from './rights.ts'
import { bodyOf, type SettingsValues } from './settings/settings-values.ts'

/** Invitations have no topic, so they are polled. Milliseconds. */
const invitationsEvery = 4000

/** Prefix of all query keys of this app. */
const keyOf = (projectId: string, ...parts: readonly unknown[]) => ['project-details', projectId, ...parts]

/** The products of this installation. */
export function useProducts() {
  const call = useApi()
  return useQuery({
    queryKey: ['project-details', 'products'],
    queryFn: async ({ signal }) => (await call(productEndpoints.list, { signal })).items,
  })
}

/** The apps of the project that the user may open, in display order. */
export function useProjectApps() {
  const call = useApi()
  const { _id, products } = useProject()
  return useQuery({
    queryKey: keyOf(_id, 'apps', products),
    queryFn: async ({ signal }) => {
      const fragments = await call(extensionEndpoints.probe, { query: { project: _id }, signal })
      return fragments
        .flatMap(({ apps }) => apps)
        .toSorted((a, b) => a.priority - b.priority || compareNames(a.label, b.label))
    },
    placeholderData: keepPreviousData,
  })
}

/** The members of the project's organisation, its owner first; none if the user may not see them. */
export function useOrganisationMembers() {
  const call = useApi()
  const project = useProject()
  const { _id, org } = project
  return useQuery({
    queryKey: keyOf(_id, 'members', org),
    queryFn: async ({ signal }) => {
      const params = { orgId: org ?? '' }
      return (await call(organisationEndpoints.members, { params, signal })).items
    },
    enabled: org !== null && mayEdit(project),
    retry: false,
  })
}

/** The organisations that the user may choose for the project, one page at most. */
export function useOrganisationChoices(search: string) {
  const call = useApi()
  return useQuery({
    queryKey: ['project-details', 'organisations', search],
    queryFn: async ({ signal }) => {
      const query = { limit: '200', ...(search !== '' && { search }) }
      const { items, next } = await call(organisationEndpoints.list, { query, signal })
      return { items, hasMore: next !== undefined }
    },
    placeholderData: keepPreviousData,
  })
}

/** Number of accounts that a search offers. More of the name finds the others. */
const peopleOffered = 20

/** The first accounts by name that match the search, for root. */
export function useFoundPeople(search: string) {
  const call = useApi()
  return useQuery({
    queryKey: ['project-details', 'found people', search],
    queryFn: async ({ signal }) => {
      const query = { limit: String(peopleOffered), sort: 'name', ...(search !== '' && { search }) } as const
      const { items, next } = await call(rootPeopleEndpoints.list, { query, signal })
      return { items, hasMore: next !== undefined }
    },
    placeholderData: keepPreviousData,
  })
}

/** Explains why a person can or cannot open a target. Refetched on each change of the project. */
export function useAccess(personId: string, place: { app?: string; tab?: string }) {
  const call = useApi()
  const { _id, grants, products } = useProject()
  return useQuery({
    queryKey: keyOf(_id, 'access', personId, place, grants, products),
    queryFn: ({ signal }) =>
      call(projectEndpoints.access, { params: { projectId: _id, personId }, query: place, signal }),
    placeholderData: (previous, query) => (query?.queryKey[3] === personId ? previous : undefined),
  })
}

export function useCheck() {
  const call = useApi()
  const { _id } = useProject()
  return useMutation({
    mutationFn: () => call(projectEndpoints.verify, { params: { projectId: _id } }),
  })
}

/** Changes the project and refetches it. */
function useProjectChange<Input, Result>(change: (projectId: string, input: Input) => Promise<Result>) {
  const { _id } = useProject()
  const refresh = useRefreshProject()
  return useMutation({ mutationFn: (input: Input) => change(_id, input), onSettled: refresh })
}

export function useSetDefault() {
  const call = useApi()
  return useProjectChange((projectId, _: void) =>
    call(projectEndpoints.setDefault, { params: { projectId } }),
  )
}

interface SettingsChange {
  changes: Partial<SettingsValues>
  revision: number | undefined
}

export function useUpdateProject() {
  const call = useApi()
  return useProjectChange((projectId, { changes, revision }: SettingsChange) => {
    const params = { projectId }
    const from = revision === undefined ? {} : { revision }
    return call(projectEndpoints.update, { params, body: bodyOf(changes), ...from })
  })
}

/** Shows the version saved by another user. */
export function useShowNewerProject(): () => void {
  const refresh = useRefreshProject()
  return () => void refresh()
}

/** Deletes the project. Refetches nothing, because the page of the deleted project is still mounted and would fail. */
export function useDeleteProject() {
  const call = useApi()
  const { _id } = useProject()
  return useMutation({ mutationFn: () => call(projectEndpoints.remove, { params: { projectId: _id } }) })
}

/** The owner changes the role of a grant. */
export function useChangeRole() {
  const call = useApi()
  return useProjectChange((projectId, { grantId, productRole }: { grantId: string; productRole: string }) =>
    call(projectEndpoints.changeProductRole, { params: { projectId, grantId }, body: { productRole } }),
  )
}

/** Root sets all roles of a person in one step. */
export function useSetRoles() {
  const call = useApi()
  return useProjectChange(
    (projectId, { personId, productRoles }: { personId: string; productRoles: string[] }) =>
      call(rootGrantEndpoints.setRoles, { params: { projectId, personId }, body: { productRoles } }),
  )
}

export function useRemovePerson() {
  const call = useApi()
  return useProjectChange((projectId, personId: string) =>
    call(rootGrantEndpoints.setRoles, { params: { projectId, personId }, body: { productRoles: [] } }),
  )
}

/** Pending invitations, for users who manage people. */
export function useInvitations(isEnabled: boolean) {
  const call = useApi()
  const { _id } = useProject()
  const queryClient = useQueryClient()
  const queryKey = keyOf(_id, 'invitations')
  return useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const background = queryClient.getQueryData(queryKey) !== undefined
      const params = { projectId: _id }
      return (await call(projectEndpoints.invitations, { params, background, signal })).items
    },
    refetchInterval: invitationsEvery,
    enabled: isEnabled,
  })
}

/** Pending requests for a role, for users who manage people. */
export function useAccessRequests(isEnabled: boolean) {
  const call = useApi()
  const { _id, grants } = useProject()
  const queryClient = useQueryClient()
  // A changed grant may have answered a request.
  const queryKey = keyOf(_id, 'access-requests', grants)
  return useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const background = queryClient.getQueryData(queryKey) !== undefined
      const params = { projectId: _id }
      return (await call(accessRequestEndpoints.list, { params, background, signal })).items
    },
    placeholderData: keepPreviousData,
    refetchInterval: invitationsEvery,
    enabled: isEnabled,
  })
}

export function useDeclineRequest() {
  const call = useApi()
  return useInvitationChange((projectId, requestId: string) =>
    call(accessRequestEndpoints.decline, { params: { projectId, requestId } }),
  )
}

function useInvitationChange<Input, Result>(change: (projectId: string, input: Input) => Promise<Result>) {
  const { _id } = useProject()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (input: Input) => change(_id, input),
    onSettled: () =>
      Promise.all(
        ['invitations', 'access-requests'].map((part) =>
          queryClient.invalidateQueries({ queryKey: keyOf(_id, part) }),
        ),
      ),
  })
}

export function useInvite() {
  const call = useApi()
  return useInvitationChange((projectId, body: BodyOf<typeof projectEndpoints.invite>) =>
    call(projectEndpoints.invite, { params: { projectId }, body }),
  )
}

export function useResendInvitation() {
  const call = useApi()
  return useInvitationChange((projectId, invitationId: string) =>
    call(projectEndpoints.resendInvitation, { params: { projectId, invitationId } }),
  )
}

export function useRevokeInvitation() {
  const call = useApi()
  return useInvitationChange((projectId, invitationId: string) =>
    call(projectEndpoints.revokeInvitation, { params: { projectId, invitationId } }),
  )
}
