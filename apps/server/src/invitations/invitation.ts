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
})
/** What the link of an invitation carries beside the address. */
export type Invitation = z.infer<typeof invitation>

export const invitationOf = (link: StoredTokenLink): Invitation => invitation.parse(link.data)
