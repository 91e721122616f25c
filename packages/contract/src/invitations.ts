import * as z from 'zod/mini'
import { id, instant } from './collection.ts'
import { limits } from './limits.ts'

export const invitationErrors = {
  ALREADY_MEMBER: { status: 409, message: 'This person belongs to it already' },
} as const

/** An invitation that nobody has accepted yet. */
export const pendingInvitation = z.object({
  _id: id,
  email: z.string(),
  createdAt: instant,
  /** Seven days after it was last sent. */
  expiresAt: instant,
  isExpired: z.boolean(),
  /** The product role that it carries, for a project's. */
  productRole: z.nullable(z.string()),
})
export type PendingInvitation = z.infer<typeof pendingInvitation>

/** What the person who invites is told. */
export const sentInvitation = z.object({
  invitation: pendingInvitation,
  /** To be handed over by hand; there when no mail server is set up, so that nothing was sent. */
  link: z.optional(z.string()),
})

export const invitedEmail = z.string().check(z.minLength(1), z.maxLength(limits.emailMax))
