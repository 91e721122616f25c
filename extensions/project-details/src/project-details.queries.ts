import { useApi, useProject, useRefreshProject } from '@pult/sdk'
import {
  type BodyOf,
  extensionEndpoints,
  organisationEndpoints,
  productEndpoints,
  projectEndpoints,
  rootGrantEndpoints,
  rootPeopleEndpoints,
} from '@pult/sdk/api'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { mayEdit } from './rights.ts'
import { bodyOf, type SettingsValues } from './settings/settings-values.ts'

/** Invitations have no topic of their own. Milliseconds. */
const invitationsEvery = 4000

/** All that this app asks for stands below this key. */
const keyOf = (projectId: string, ...parts: readonly unknown[]) => ['project-details', projectId, ...parts]

/** The products of this installation. */
export function useProducts() {
  const call = useApi()
  return useQuery({
    queryKey: ['project-details', 'products'],
    queryFn: async ({ signal }) => (await call(productEndpoints.list, { signal })).items,
  })
}

/** The apps of the project that the person may open themselves, in the order in which the console shows them. */
export function useProjectApps() {
  const call = useApi()
  const { _id, products } = useProject()
  return useQuery({
    queryKey: keyOf(_id, 'apps', products),
    queryFn: async ({ signal }) => {
      const fragments = await call(extensionEndpoints.probe, { query: { project: _id }, signal })
      return fragments
        .flatMap(({ apps }) => apps)
        .toSorted((a, b) => a.priority - b.priority || a.label.localeCompare(b.label))
    },
    placeholderData: keepPreviousData,
  })
}

/** The members of the project's organisation, its owner first; none where that is not for the person to see. */
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

/** The organisations that the person may put the project into, as many as one page holds. */
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

/** Accounts that match, for root. */
export function useFoundPeople(search: string) {
  const call = useApi()
  return useQuery({
    queryKey: ['project-details', 'found people', search],
    queryFn: async ({ signal }) => {
      const query = { limit: '8', ...(search !== '' && { search }) }
      return (await call(rootPeopleEndpoints.list, { query, signal })).items
    },
    placeholderData: keepPreviousData,
  })
}

/** Why a person can or cannot open something; read again whenever the project has changed. */
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

/** A change of the project, after which it is read again. */
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

/** Shows what somebody else has saved meanwhile. */
export function useShowNewerProject(): () => void {
  const refresh = useRefreshProject()
  return () => void refresh()
}

/** Reads nothing again: the page about it is still there, and would go on with another project. */
export function useDeleteProject() {
  const call = useApi()
  const { _id } = useProject()
  return useMutation({ mutationFn: () => call(projectEndpoints.remove, { params: { projectId: _id } }) })
}

interface RoleChange {
  grantId: string
  productRole: string | null
}

/** The owner changes roles; root takes them away as well. */
export function useChangeRole() {
  const call = useApi()
  const { access } = useProject()
  return useProjectChange((projectId, { grantId, productRole }: RoleChange) => {
    const params = { projectId, grantId }
    return access === 'root' || productRole === null
      ? call(rootGrantEndpoints.update, { params, body: { productRole } })
      : call(projectEndpoints.changeProductRole, { params, body: { productRole } })
  })
}

/** A grant for somebody, and at once the role that it is for. */
export function useAddGrant() {
  const call = useApi()
  return useProjectChange(async (projectId, { user, productRole }: { user: string; productRole: string }) => {
    const { _id: grantId } = await call(rootGrantEndpoints.add, { params: { projectId }, body: { user } })
    return call(rootGrantEndpoints.update, { params: { projectId, grantId }, body: { productRole } })
  })
}

export function useRemoveGrant() {
  const call = useApi()
  return useProjectChange((projectId, grantId: string) =>
    call(rootGrantEndpoints.remove, { params: { projectId, grantId } }),
  )
}

export function useInvitations() {
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
  })
}

function useInvitationChange<Input, Result>(change: (projectId: string, input: Input) => Promise<Result>) {
  const { _id } = useProject()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (input: Input) => change(_id, input),
    onSettled: () => queryClient.invalidateQueries({ queryKey: keyOf(_id, 'invitations') }),
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
