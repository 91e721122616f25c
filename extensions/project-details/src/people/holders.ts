import type { Grant, OrganisationMember, Project } from '@pult/sdk/api'

/** A line of the list of people: the owners, and each grant of the others. */
export interface Holder {
  key: string
  personId: string
  name: string
  /** Why the person has access. */
  as: 'owner' | 'organisation owner' | Grant
}

/** Everybody who has access, but root: the owner first, then the organisation's, then those with grants by name. */
export function holdersOf(project: Project, members: readonly OrganisationMember[] = []): Holder[] {
  const { owner, ownerName, grants } = project
  const organisationOwner = members.find(({ _id, isOwner }) => isOwner && _id !== owner)
  return [
    { key: 'owner', personId: owner, name: ownerName, as: 'owner' },
    ...(organisationOwner
      ? [
          {
            key: 'organisation owner',
            personId: organisationOwner._id,
            name: `${organisationOwner.firstname} ${organisationOwner.lastname}`,
            as: 'organisation owner' as const,
          },
        ]
      : []),
    ...grants
      .map((grant) => ({ key: grant._id, personId: grant.user, name: grant.name, as: grant }))
      .toSorted((a, b) => a.name.localeCompare(b.name)),
  ]
}
