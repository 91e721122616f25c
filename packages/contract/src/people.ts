import * as z from 'zod/mini'
import { done, id, instant, listOf, pageOf, pageQuery, revision } from './collection.ts'
import { endpoint } from './endpoint.ts'
import { invitedEmail, pendingInvitation, sentInvitation } from './invitations.ts'

export const peopleErrors = {
  ADDRESS_TAKEN: { status: 409, message: 'Another account has verified this address' },
  LAST_ROOT: { status: 409, message: 'This is the last root account. Make another person root first' },
  PERSON_OWNS: {
    status: 409,
    message: 'This person still owns organisations or projects. Transfer or delete them first',
  },
} as const

/** An account as root sees it: who it is and how it is secured, never a secret. */
const account = z.object({
  _id: id,
  firstname: z.string(),
  lastname: z.string(),
  /** The default address. */
  email: z.string(),
  /** False when neither a mail nor root has confirmed the default address. */
  isEmailVerified: z.boolean(),
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
  /** Last use of its newest session; null if it has no session. */
  lastSeenAt: z.nullable(instant),
  revision,
})
export type Account = z.infer<typeof account>

/** `unprotected` accounts sign in without a second factor. */
const accountState = z.enum(['root', 'disabled', 'unprotected'])
export type AccountState = z.infer<typeof accountState>

/** Accounts that a search finds, by state and whatever state was asked for. An account can have several. */
const accountCounts = z.object({
  root: z.number(),
  disabled: z.number(),
  unprotected: z.number(),
  /** Only 10,000 accounts are counted. */
  isCapped: z.boolean(),
})
export type AccountCounts = z.infer<typeof accountCounts>

/** `-` before a name reverses the order. */
const accountSort = z.enum(['created', '-created', 'name', '-name', 'email', '-email'])
export type AccountSort = z.infer<typeof accountSort>

const labelled = z.object({ _id: id, label: z.string() })

/** What belongs to an account. Each list has at most 100 items; `total` counts all of them. */
const belongings = z.object({
  /** Organisations and projects that it owns. */
  organisations: listOf(labelled),
  projects: listOf(labelled),
  /** Organisations that it belongs to without owning them. */
  memberships: listOf(labelled),
  /** Task tokens that it has created. */
  taskTokens: listOf(z.object({ ...labelled.shape, project: labelled, expiresAt: instant })),
  /** Serials of the Stream Decks in its own settings. */
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
      'All accounts, the oldest first unless sorted otherwise. Search by words or by `email:`, `name:`, `root:`, `disabled:`, `otp:` (true or false).',
    query: z.strictObject({
      ...pageQuery.shape,
      state: z.optional(accountState),
      sort: z.optional(accountSort),
    }),
    reply: z.object({ ...pageOf(account).shape, counts: accountCounts }),
    errors: [...ofRoot],
  }),
  read: endpoint('GET', '/apps/root/people/:personId', {
    summary: 'One account.',
    reply: account,
    errors: [...ofOne],
  }),
  belongings: endpoint('GET', '/apps/root/people/:personId/belongings', {
    summary: 'What an account owns and which organisations it belongs to.',
    reply: belongings,
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
  confirmEmail: endpoint('POST', '/apps/root/people/:personId/confirm-email', {
    summary: 'Confirms that the default address of an account belongs to its person.',
    reply: done,
    errors: [...recently, 'ADDRESS_TAKEN'],
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
