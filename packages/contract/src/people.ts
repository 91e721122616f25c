import * as z from 'zod/mini'
import { done, id, instant, listOf, pageOf, pageQuery, revision } from './collection.ts'
import { endpoint } from './endpoint.ts'
import { invitedEmail, pendingInvitation, sentInvitation } from './invitations.ts'

export const peopleErrors = {
  LAST_ROOT: { status: 409, message: 'This is the last root account. Please make somebody else root first' },
  PERSON_OWNS: {
    status: 409,
    message:
      'This person still owns organisations or projects. Please name other owners or delete them first',
  },
} as const

/** An account as root sees it: who it is and how it is secured, never a secret. */
export const account = z.object({
  _id: id,
  firstname: z.string(),
  lastname: z.string(),
  /** The default address. */
  email: z.string(),
  isRoot: z.boolean(),
  /** A disabled account signs in nowhere; its sessions end at once. */
  isDisabled: z.boolean(),
  otpEnabled: z.boolean(),
  hasPassword: z.boolean(),
  /** How many passkeys it has. */
  passkeys: z.number(),
  /** Its password is locked after too many wrong tries. */
  isLocked: z.boolean(),
  createdAt: instant,
  /** Of its newest session; null when it never signed in, or too long ago. */
  lastSeenAt: z.nullable(instant),
  revision,
})
export type Account = z.infer<typeof account>

const ofRoot = ['UNAUTHENTICATED', 'FORBIDDEN'] as const
const ofOne = [...ofRoot, 'NOT_FOUND'] as const
const recently = [...ofOne, 'RECENT_SIGN_IN_NEEDED'] as const

/** Accounts, for root. Whatever changes how somebody signs in asks root for a recent sign-in. */
export const rootPeopleEndpoints = {
  list: endpoint('GET', '/apps/root/people', {
    summary:
      'All accounts, the oldest first. Search by words or by `email:`, `name:`, `root:`, `disabled:`, `otp:` (true or false).',
    query: pageQuery,
    reply: pageOf(account),
    errors: [...ofRoot],
  }),
  read: endpoint('GET', '/apps/root/people/:personId', {
    summary: 'One account.',
    reply: account,
    errors: [...ofOne],
  }),
  update: endpoint('PUT', '/apps/root/people/:personId', {
    summary:
      'Makes an account root or not, disables or enables it. The last root that can sign in stays as it is.',
    body: z.strictObject({ isRoot: z.optional(z.boolean()), isDisabled: z.optional(z.boolean()) }),
    reply: account,
    errors: [...recently, 'LAST_ROOT', 'REVISION_CONFLICT'],
  }),
  remove: endpoint('DELETE', '/apps/root/people/:personId', {
    summary:
      'Deletes an account with all that belongs to it alone. One that owns something names it in `detail`: {organisations, projects}.',
    reply: done,
    errors: [...recently, 'LAST_ROOT', 'PERSON_OWNS'],
  }),
  endSessions: endpoint('POST', '/apps/root/people/:personId/end-sessions', {
    summary: 'Signs somebody out everywhere.',
    reply: done,
    errors: [...ofOne],
  }),
  unlock: endpoint('POST', '/apps/root/people/:personId/unlock', {
    summary: 'Ends the lock of a password after too many wrong tries.',
    reply: done,
    errors: [...ofOne],
  }),
  resetSecondFactor: endpoint('POST', '/apps/root/people/:personId/reset-second-factor', {
    summary:
      'Turns off the one-time passwords of somebody who has lost them. They are signed out everywhere and told by mail.',
    reply: done,
    errors: [...recently, 'OTP_NOT_ENABLED'],
  }),
  invitations: endpoint('GET', '/apps/root/people/invitations', {
    summary: 'Invitations to an account that nobody has accepted yet.',
    reply: listOf(pendingInvitation),
    errors: [...ofRoot],
  }),
  invite: endpoint('POST', '/apps/root/people/invitations', {
    summary:
      'Invites somebody to make an account, a root account if `isRoot`. An earlier invitation of the address ends.',
    body: z.strictObject({ email: invitedEmail, isRoot: z.optional(z.boolean()) }),
    reply: sentInvitation,
    errors: [...ofRoot, 'RECENT_SIGN_IN_NEEDED', 'ALREADY_MEMBER'],
  }),
  resendInvitation: endpoint('POST', '/apps/root/people/invitations/:invitationId/resend', {
    summary: 'Sends an invitation again, with a new link for seven days; the old link ends.',
    reply: sentInvitation,
    errors: [...recently],
  }),
  revokeInvitation: endpoint('DELETE', '/apps/root/people/invitations/:invitationId', {
    summary: 'Ends an invitation.',
    reply: done,
    errors: [...ofOne],
  }),
}
