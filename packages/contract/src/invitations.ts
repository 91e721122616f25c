import * as z from 'zod/mini'
import { id, instant } from './collection.ts'
import { limits } from './limits.ts'

export const invitationErrors = {
  ALREADY_MEMBER: { status: 409, message: 'This person is already a member' },
} as const

/** A pending invitation. */
export const pendingInvitation = z.object({
  _id: id,
  email: z.string(),
  createdAt: instant,
  /** Seven days after the last sending. */
  expiresAt: instant,
  isExpired: z.boolean(),
  /** Product role of an invitation to a project; otherwise null. */
  productRole: z.nullable(z.string()),
})
export type PendingInvitation = z.infer<typeof pendingInvitation>

/** Reply to the inviting user. */
export const sentInvitation = z.object({
  invitation: pendingInvitation,
  /** False if no mail server is set up: the mail waits, and root must hand over the link. */
  isMailed: z.boolean(),
  /** Present only for root, and only if no mail server is set up. */
  link: z.optional(z.string()),
})
export type SentInvitation = z.infer<typeof sentInvitation>

export const invitedEmail = z.string().check(z.minLength(1), z.maxLength(limits.emailMax))
