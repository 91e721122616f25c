import { languages } from '@pult/contract'
import * as z from 'zod/mini'
import type { StoredTokenLink } from '../token-links/token-link.ts'

export const invitationAction = 'invite:registration'

/** Lifetime of an invitation in seconds. */
export const invitationLifetime = 7 * 24 * 3600

const invitation = z.strictObject({
  /** The invited account becomes root. */
  isRoot: z.boolean(),
  /** Printed at the start of an installation without a root. Invalid once a root exists. */
  isFirstRoot: z.boolean(),
  /** Root hands the link over because no mail server is configured. Redeeming it does not verify the address. */
  isHandedOver: z.optional(z.boolean()),
  /** The invited account becomes a member. */
  organisationId: z.optional(z.string()),
  /** The invited account gets a grant with the role. */
  projectId: z.optional(z.string()),
  productRole: z.optional(z.nullable(z.string())),
  /** The language that the inviter chose. */
  language: z.optional(z.enum(languages)),
})
/** The data of an invitation link besides the address. */
export type Invitation = z.infer<typeof invitation>

export const invitationOf = (link: StoredTokenLink): Invitation => invitation.parse(link.data)

/** The target of an invitation: an organisation, a project or no place. */
export type InvitedPlace = { organisationId: string } | { projectId: string } | typeof anAccount

export const anAccount = { isAccountAlone: true } as const

/** Returns the key of a place. Only the newest link per address and place is valid. */
export function targetOf(place: InvitedPlace): string {
  if ('organisationId' in place) return `organisation:${place.organisationId}`
  return 'projectId' in place ? `project:${place.projectId}` : ''
}
