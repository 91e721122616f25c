import * as z from 'zod/mini'
import { done, id, instant, listOf, revision } from './collection.ts'
import { endpoint } from './endpoint.ts'
import { invitedEmail, pendingInvitation, sentInvitation } from './invitations.ts'
import { pageOf, pageQuery } from './pages.ts'

export const peopleErrors = {
  ADDRESS_TAKEN: { status: 409, message: 'Another account has verified this address' },
  LAST_ROOT: { status: 409, message: 'This is the last root account. Make another person root first' },
  PERSON_OWNS: {
    status: 409,
    message: 'This person still owns organisations or projects. Transfer or delete them first',
  },
} as const

/** An account for root, with its security state but without secrets. */
const account = z.object({
  _id: id,
  firstname: z.string(),
  lastname: z.string(),
  /** The default address. */
  email: z.string(),
  /** Whether a confirmation link or root has confirmed the default address. */
  isEmailVerified: z.boolean(),
  isRoot: z.boolean(),
  /** A disabled account cannot sign in, and its sessions have ended. */
  isDisabled: z.boolean(),
  otpEnabled: z.boolean(),
  hasPassword: z.boolean(),
  passkeys: z.number(),
  /** Whether the password is locked after too many wrong attempts. */
  isLocked: z.boolean(),
  createdAt: instant,
  /** Last use of the newest session; null without a session. */
  lastSeenAt: z.nullable(instant),
  revision,
})
export type Account = z.infer<typeof account>

/** `unprotected` accounts sign in without a second factor. */
const accountState = z.enum(['root', 'disabled', 'unprotected'])
export type AccountState = z.infer<typeof accountState>

/** Accounts that match the search, by state, regardless of the `state` filter. An account can have several states. */
const accountCounts = z.object({
  root: z.number(),
  disabled: z.number(),
  unprotected: z.number(),
  /** True if more than 10,000 accounts match: only 10,000 are counted. */
  isCapped: z.boolean(),
})
export type AccountCounts = z.infer<typeof accountCounts>

/** `-` reverses the order. */
const accountSort = z.enum(['created', '-created', 'name', '-name', 'email', '-email'])
export type AccountSort = z.infer<typeof accountSort>

const labelled = z.object({ _id: id, label: z.string() })

/** Records that belong to an account. Each list has at most 100 items; `total` counts all. */
const belongings = z.object({
  /** Organisations and projects that the account owns. */
  organisations: listOf(labelled),
  projects: listOf(labelled),
  /** Organisations of which the account is a member, but not the owner. */
  memberships: listOf(labelled),
  /** Task tokens that the account has created. */
  taskTokens: listOf(z.object({ ...labelled.shape, project: labelled, expiresAt: instant })),
  /** Serials of the Stream Decks in the account's settings. */
  decks: z.array(z.string()),
})
export type Belongings = z.infer<typeof belongings>

const ofRoot = ['UNAUTHENTICATED', 'FORBIDDEN'] as const
const ofOne = [...ofRoot, 'NOT_FOUND'] as const
const recently = [...ofOne, 'RECENT_SIGN_IN_NEEDED'] as const

/** Accounts, for root. Changes to sign-in methods need a recent sign-in of root. */
export const rootPeopleEndpoints = {
  list: endpoint('GET', '/apps/root/people', {
    summary:
      'Lists all accounts, oldest first unless sorted otherwise; search supports words, `email:`, `name:`, and `root:`, `disabled:` and `otp:` with true or false.',
    query: z.strictObject({
      ...pageQuery.shape,
      state: z.optional(accountState),
      sort: z.optional(accountSort),
    }),
    reply: z.object({ ...pageOf(account).shape, counts: accountCounts }),
    errors: [...ofRoot],
  }),
  read: endpoint('GET', '/apps/root/people/:personId', {
    summary: 'Reads an account.',
    reply: account,
    errors: [...ofOne],
  }),
  belongings: endpoint('GET', '/apps/root/people/:personId/belongings', {
    summary: 'Returns the organisations, projects, memberships, task tokens and decks of an account.',
    reply: belongings,
    errors: [...ofOne],
  }),
  update: endpoint('PUT', '/apps/root/people/:personId', {
    summary:
      'Changes whether an account is root or disabled; the last root that can sign in cannot be changed.',
    body: z.strictObject({ isRoot: z.optional(z.boolean()), isDisabled: z.optional(z.boolean()) }),
    reply: account,
    errors: [...recently, 'LAST_ROOT', 'REVISION_CONFLICT'],
  }),
  remove: endpoint('DELETE', '/apps/root/people/:personId', {
    summary:
      'Deletes an account and its personal records; for an account that still owns records the error lists {organisations, projects} in `detail`.',
    reply: done,
    errors: [...recently, 'LAST_ROOT', 'PERSON_OWNS'],
  }),
  endSessions: endpoint('POST', '/apps/root/people/:personId/end-sessions', {
    summary: 'Ends all sessions of a user.',
    reply: done,
    errors: [...ofOne],
  }),
  unlock: endpoint('POST', '/apps/root/people/:personId/unlock', {
    summary: 'Unlocks an account: forgets its wrong passwords, one-time passwords and passkeys.',
    reply: done,
    errors: [...recently],
  }),
  confirmEmail: endpoint('POST', '/apps/root/people/:personId/confirm-email', {
    summary: 'Confirms that the default address of an account belongs to its user.',
    reply: done,
    errors: [...recently, 'ADDRESS_TAKEN'],
  }),
  resetSecondFactor: endpoint('POST', '/apps/root/people/:personId/reset-second-factor', {
    summary:
      'Turns off the one-time passwords of a user who has lost them, ends the user’s sessions and sends the user a mail.',
    reply: done,
    errors: [...recently, 'OTP_NOT_ENABLED'],
  }),
  invitations: endpoint('GET', '/apps/root/invitations', {
    summary: 'Lists the pending invitations to create an account.',
    reply: listOf(pendingInvitation),
    errors: [...ofRoot],
  }),
  invite: endpoint('POST', '/apps/root/invitations', {
    summary:
      'Invites an address to create an account, or a root account with `isRoot`, and revokes an earlier invitation of the same address.',
    body: z.strictObject({ email: invitedEmail, isRoot: z.optional(z.boolean()) }),
    reply: sentInvitation,
    errors: [...ofRoot, 'RECENT_SIGN_IN_NEEDED', 'ALREADY_MEMBER'],
  }),
  resendInvitation: endpoint('POST', '/apps/root/invitations/:invitationId/resend', {
    summary: 'Sends an invitation again with a new link, valid for seven days, and invalidates the old link.',
    reply: sentInvitation,
    errors: [...recently],
  }),
  revokeInvitation: endpoint('DELETE', '/apps/root/invitations/:invitationId', {
    summary: 'Revokes an invitation.',
    reply: done,
    errors: [...ofOne],
  }),
}
