import * as z from 'zod/mini'
import { done, id, instant, lastChange, listOf, personRecord, revision } from './collection.ts'
import { endpoint } from './endpoint.ts'
import { invitedEmail, pendingInvitation, sentInvitation } from './invitations.ts'
import { label } from './label.ts'
import { pageOf, pageQuery } from './pages.ts'

export const organisationErrors = {
  ORGANISATION_HAS_PROJECTS: {
    status: 409,
    message: 'This organisation still has projects. Delete or move them first',
  },
  TOO_MANY_ORGANISATIONS: {
    status: 409,
    message: 'The owner has reached the limit of organisations. Ask root to raise it',
  },
  OWNER_STAYS: { status: 409, message: 'The owner cannot leave. Choose another owner first' },
} as const

const organisation = z.object({
  _id: id,
  label: z.string(),
  /** User id of the owner. */
  owner: id,
  /** First and last name of the owner. */
  ownerName: z.string(),
  /** The caller's relation to the organisation. The owner and root can edit it. */
  access: z.enum(['root', 'owner', 'member']),
  createdAt: instant,
  revision,
  ...lastChange,
})
export type Organisation = z.infer<typeof organisation>

const member = z.object({
  ...personRecord.shape,
  isOwner: z.boolean(),
  since: instant,
})
export type OrganisationMember = z.infer<typeof member>

const seen = ['UNAUTHENTICATED', 'NOT_FOUND'] as const
const edited = [...seen, 'FORBIDDEN'] as const

export const organisationEndpoints = {
  list: endpoint('GET', '/orgs', {
    summary: 'Lists the organisations that the caller belongs to, or all organisations for root.',
    query: pageQuery,
    reply: pageOf(organisation),
    errors: ['UNAUTHENTICATED'],
  }),
  create: endpoint('POST', '/orgs', {
    summary: 'Creates an organisation that the caller owns; idempotent with an Idempotency-Key.',
    body: z.strictObject({ label }),
    reply: organisation,
    errors: ['UNAUTHENTICATED', 'TOO_MANY_ORGANISATIONS'],
  }),
  read: endpoint('GET', '/orgs/:orgId', {
    summary: 'Reads an organisation.',
    reply: organisation,
    errors: [...seen],
  }),
  update: endpoint('PUT', '/orgs/:orgId', {
    summary: 'Changes the given fields of an organisation; `owner` is the id of a member.',
    body: z.strictObject({ label: z.optional(label), owner: z.optional(id) }),
    reply: organisation,
    errors: [...edited, 'REVISION_CONFLICT', 'TOO_MANY_ORGANISATIONS', 'RECENT_SIGN_IN_NEEDED'],
  }),
  remove: endpoint('DELETE', '/orgs/:orgId', {
    summary:
      'Deletes an organisation without projects; otherwise the error lists the projects in `detail.projects`.',
    reply: done,
    errors: [...edited, 'ORGANISATION_HAS_PROJECTS', 'RECENT_SIGN_IN_NEEDED'],
  }),
  members: endpoint('GET', '/orgs/:orgId/members', {
    summary: 'Lists the members of an organisation, the owner first.',
    reply: listOf(member),
    errors: [...seen],
  }),
  removeMember: endpoint('DELETE', '/orgs/:orgId/members/:personId', {
    summary: 'Removes a member; members can remove themselves.',
    reply: done,
    errors: [...edited, 'OWNER_STAYS'],
  }),
  invitations: endpoint('GET', '/orgs/:orgId/invitations', {
    summary: 'Lists the pending invitations to the organisation.',
    reply: listOf(pendingInvitation),
    errors: [...edited],
  }),
  invite: endpoint('POST', '/orgs/:orgId/invitations', {
    summary: 'Invites an address to the organisation and revokes an earlier invitation of the same address.',
    body: z.strictObject({ email: invitedEmail }),
    reply: sentInvitation,
    errors: [...edited, 'ALREADY_MEMBER', 'RECENT_SIGN_IN_NEEDED'],
  }),
  resendInvitation: endpoint('POST', '/orgs/:orgId/invitations/:invitationId/resend', {
    summary: 'Sends an invitation again with a new link, valid for seven days, and invalidates the old link.',
    reply: sentInvitation,
    errors: [...edited, 'RECENT_SIGN_IN_NEEDED'],
  }),
  revokeInvitation: endpoint('DELETE', '/orgs/:orgId/invitations/:invitationId', {
    summary: 'Revokes an invitation.',
    reply: done,
    errors: [...edited],
  }),
}
