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
  /** Seven days after it was last sent. */
  expiresAt: instant,
  isExpired: z.boolean(),
  /** The product role that it carries, for a project's. */
  productRole: z.nullable(z.string()),
})
export type PendingInvitation = z.infer<typeof pendingInvitation>

/** The answer to the inviter. */
export const sentInvitation = z.object({
  invitation: pendingInvitation,
  /** False when no mail server is set up: the mail waits, and root hands the link over. */
  isMailed: z.boolean(),
  /** For root alone, and only if no mail server is set up. */
  link: z.optional(z.string()),
})
export type SentInvitation = z.infer<typeof sentInvitation>

export const invitedEmail = z.string().check(z.minLength(1), z.maxLength(limits.emailMax))
