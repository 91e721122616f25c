import * as z from 'zod/mini'
import type { StoredTokenLink } from '../token-links/token-link.ts'

export const invitationAction = 'invite:registration'

/** Seconds. */
export const invitationLifetime = 7 * 24 * 3600

const invitation = z.strictObject({
  /** Whoever accepts becomes root. */
  isRoot: z.boolean(),
  /** Printed at the start of an installation without a root: worth nothing once there is one. */
  isFirstRoot: z.boolean(),
  /** Whoever accepts becomes a member. */
  organisationId: z.optional(z.string()),
  /** Whoever accepts gets a grant with the role. */
  projectId: z.optional(z.string()),
  productRole: z.optional(z.nullable(z.string())),
})
/** What the link of an invitation carries beside the address. */
export type Invitation = z.infer<typeof invitation>

export const invitationOf = (link: StoredTokenLink): Invitation => invitation.parse(link.data)

/** Where an invitation leads: an organisation, a project, or no place at all. */
export type InvitedPlace = { organisationId: string } | { projectId: string } | typeof anAccount

export const anAccount = { isAccountAlone: true } as const

/** What the links of one place have in common; of an address and a place the newest link counts. */
export function targetOf(place: InvitedPlace): string {
  if ('organisationId' in place) return `organisation:${place.organisationId}`
  return 'projectId' in place ? `project:${place.projectId}` : ''
}
