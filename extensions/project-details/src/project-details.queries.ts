import { type ChangeInput, useCall, useChange, useLive, useProject, useRefreshProject } from '@pult/sdk'
import {
  accessRequestEndpoints,
  type BodyOf,
  type Endpoint,
  extensionEndpoints,
  extensionSettingsEndpoints,
  type Fragment,
  organisationEndpoints,
  productEndpoints,
  projectEndpoints,
  taskTokenEndpoints,
} from '@pult/sdk/api'
import { rootGrantEndpoints } from '@pult/sdk/api/root'
import { compareNames } from '@pult/sdk/ui'
import { keepPreviousData } from '@tanstack/react-query'
import { mayEdit } from './rights.ts'
import { bodyOf, type SettingsValues } from './settings/settings-values.ts'

/** Invitations have no topic, so they are polled. Milliseconds. */
const invitationsEvery = 4000

/** Replies that depend on the products and grants of the project. A changed grant may have answered a request. */
const ofProductsAndGrants = [
  accessRequestEndpoints.list,
  extensionEndpoints.probe,
  extensionSettingsEndpoints.ofProject,
  projectEndpoints.access,
  taskTokenEndpoints.list,
]

/** Reads these replies again after each change of the project. The project itself is always live. */
export function useLiveWithProject(): void {
  const { _id } = useProject()
  useLive('projects', {
    touches: ofProductsAndGrants,
    onEvent: ({ data }) => {
      const { id, op } = data as { id?: string; op?: string }
      // Reads of a removed project would fail.
      return id !== _id || op === 'remove'
    },
  })
}

/** The products of this installation. */
export const useProducts = () => useCall(productEndpoints.list, {}, { select: ({ items }) => items })

/** The apps of the project that the user may open, in display order. */
export function useProjectApps() {
  const { _id } = useProject()
  return useCall(extensionEndpoints.probe, { query: { project: _id } }, { select: appsOf })
}

const appsOf = (fragments: readonly Fragment[]) =>
  fragments
    .flatMap(({ apps }) => apps)
    .toSorted((a, b) => a.priority - b.priority || compareNames(a.label, b.label))

/** The members of the project's organisation, its owner first; none if the user may not see them. */
export function useOrganisationMembers() {
  const project = useProject()
  const { org } = project
  return useCall(
    organisationEndpoints.members,
    org !== null && mayEdit(project) ? { params: { orgId: org } } : null,
    { retry: false, select: ({ items }) => items },
  )
}

/** The organisations that the user may choose for the project, one page at most. */
export const useOrganisationChoices = (search: string) =>
  useCall(
    organisationEndpoints.list,
    { query: { limit: '200', search } },
    { placeholderData: keepPreviousData },
  )

/** Explains why a person can or cannot open a target. */
export function useAccess(personId: string, { app, tab }: { app?: string; tab?: string }) {
  const { _id: projectId } = useProject()
  return useCall(
    projectEndpoints.access,
    { params: { projectId, personId }, query: { app, tab } },
    { placeholderData: (previous, query) => (query?.queryKey[3] === personId ? previous : undefined) },
  )
}

/** Pending invitations, for users who manage people. */
export function useInvitations(isEnabled: boolean) {
  const { _id: projectId } = useProject()
  return useCall(projectEndpoints.invitations, isEnabled ? { params: { projectId } } : null, {
    every: invitationsEvery,
    select: ({ items }) => items,
  })
}

/** Pending requests for a role, for users who manage people. */
export function useAccessRequests(isEnabled: boolean) {
  const { _id: projectId } = useProject()
  return useCall(accessRequestEndpoints.list, isEnabled ? { params: { projectId } } : null, {
    every: invitationsEvery,
    select: ({ items }) => items,
  })
}

/** A change of the project, after which the project and everything that depends on it is read again. */
function useProjectChange<E extends Endpoint, Input = void>(
  endpoint: E,
  inputOf: (projectId: string, input: Input) => ChangeInput<E>,
) {
  const { _id } = useProject()
  const refresh = useRefreshProject()
  return useChange(endpoint, (input: Input) => inputOf(_id, input), {
    touches: ofProductsAndGrants,
    onSuccess: refresh,
    onError: refresh,
  })
}

export const useSetDefault = () =>
  useProjectChange(projectEndpoints.setDefault, (projectId) => ({ params: { projectId } }))

interface SettingsChange {
  changes: Partial<SettingsValues>
  revision: number | undefined
}

export const useUpdateProject = () =>
  useProjectChange(projectEndpoints.update, (projectId, { changes, revision }: SettingsChange) => ({
    params: { projectId },
    body: bodyOf(changes),
    revision,
  }))

/** Deletes the project. Nothing of it is read again, because its page is still mounted and would fail. */
export function useDeleteProject() {
  const { _id: projectId } = useProject()
  return useChange(projectEndpoints.remove, () => ({ params: { projectId } }), {
    touches: [],
    leaves: `/projects/${projectId}`,
  })
}

/** The owner changes the role of a grant. */
export const useChangeRole = () =>
  useProjectChange(
    projectEndpoints.changeProductRole,
    (projectId, { grantId, productRole }: { grantId: string; productRole: string }) => ({
      params: { projectId, grantId },
      body: { productRole },
    }),
  )

/** Root sets all roles of a person in one step. */
export const useSetRoles = () =>
  useProjectChange(
    rootGrantEndpoints.setRoles,
    (projectId, { personId, productRoles }: { personId: string; productRoles: string[] }) => ({
      params: { projectId, personId },
      body: { productRoles },
    }),
  )

export const useRemovePerson = () =>
  useProjectChange(rootGrantEndpoints.setRoles, (projectId, personId: string) => ({
    params: { projectId, personId },
    body: { productRoles: [] },
  }))

/** A change of the people who do not have access yet. */
function useInvitationChange<E extends Endpoint, Input>(
  endpoint: E,
  inputOf: (projectId: string, input: Input) => ChangeInput<E>,
) {
  const { _id } = useProject()
  return useChange(endpoint, (input: Input) => inputOf(_id, input), {
    touches: [projectEndpoints.invitations, accessRequestEndpoints.list],
  })
}

export const useInvite = () =>
  useInvitationChange(projectEndpoints.invite, (projectId, body: BodyOf<typeof projectEndpoints.invite>) => ({
    params: { projectId },
    body,
  }))

export const useResendInvitation = () =>
  useInvitationChange(projectEndpoints.resendInvitation, (projectId, invitationId: string) => ({
    params: { projectId, invitationId },
  }))

export const useRevokeInvitation = () =>
  useInvitationChange(projectEndpoints.revokeInvitation, (projectId, invitationId: string) => ({
    params: { projectId, invitationId },
  }))

export const useDeclineRequest = () =>
  useInvitationChange(accessRequestEndpoints.decline, (projectId, requestId: string) => ({
    params: { projectId, requestId },
  }))
