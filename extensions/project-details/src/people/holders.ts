import type { Grant, OrganisationMember, Project } from '@pult/sdk/api'
import { compareNames } from '@pult/sdk/ui'

/** A person with access: an owner, or the holder of grants. */
export interface Holder {
  personId: string
  name: string
  /** Access that does not come from a grant. */
  as: 'owner' | 'organisation owner' | null
  grants: readonly Grant[]
}

/**
 * Returns all people with access except root: the owner, the organisation's owner, then holders of grants by name.
 */
export function holdersOf(project: Project, members: readonly OrganisationMember[] = []): Holder[] {
  const { owner, ownerName, grants } = project
  const organisationOwner = members.find(({ _id, isOwner }) => isOwner && _id !== owner)
  const owners: Omit<Holder, 'grants'>[] = [{ personId: owner, name: ownerName, as: 'owner' }]
  if (organisationOwner !== undefined) {
    const { _id: personId, firstname, lastname } = organisationOwner
    owners.push({ personId, name: `${firstname} ${lastname}`, as: 'organisation owner' })
  }
  const isOwner = (personId: string) => owners.some((one) => one.personId === personId)
  const holders = new Map(grants.map(({ user, name }) => [user, name]))
  return [
    ...owners,
    ...[...holders]
      .filter(([personId]) => !isOwner(personId))
      .map(([personId, name]) => ({ personId, name, as: null }))
      .toSorted((a, b) => compareNames(a.name, b.name)),
  ].map((holder) => ({ ...holder, grants: grants.filter(({ user }) => user === holder.personId) }))
}
