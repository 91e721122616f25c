import * as z from 'zod/mini'
import { done, id, instant, lastChange, listOf, revision } from './collection.ts'
import { endpoint } from './endpoint.ts'
import { invitedEmail, pendingInvitation, sentInvitation } from './invitations.ts'
import { label } from './label.ts'
import { defaultConsoleColor, limits } from './limits.ts'
import { pageOf, pageQuery } from './pages.ts'
import { nameText } from './text.ts'

export const projectErrors = {
  UNKNOWN_PRODUCT: { status: 400, message: 'This product is not installed' },
  UNKNOWN_PRODUCT_ROLE: { status: 400, message: 'The project’s products have no such role' },
  UNKNOWN_PERSON: { status: 400, message: 'This person does not exist' },
  TOO_MANY_PROJECTS: {
    status: 409,
    message: 'You have reached the limit of projects. Ask root to raise it',
  },
  ALREADY_GRANTED: { status: 409, message: 'This person already has this role' },
} as const

/** One product role of one user in one project. A user can have several grants. */
const grant = z.object({
  _id: id,
  /** Id of the user. */
  user: id,
  /** First and last name of the user. */
  name: z.string(),
  /** `product/role`. A grant whose role is null has no effect. */
  productRole: z.nullable(z.string()),
})
export type Grant = z.infer<typeof grant>

export const project = z.object({
  _id: id,
  label: z.string(),
  /** Id of the organisation; null for a private project. */
  org: z.nullable(id),
  /** The organisation's label, even for users who may not see the organisation itself. */
  orgLabel: z.nullable(z.string()),
  /** User id of the owner. */
  owner: id,
  /** First and last name of the owner. */
  ownerName: z.string(),
  /** Skus of the project's products. */
  products: z.array(z.string()),
  /**
   * All grants for callers who may edit the project or hold the role `project-details:people`, otherwise the caller's
   * grants.
   */
  grants: z.array(grant),
  meta: z.object({
    /** The customer's name. */
    customer: z.string(),
    /** Number or name of the project in other systems. */
    projectId: z.string(),
  }),
  config: z.object({
    /** A CSS colour `#rgb` or `#rrggbb`. */
    consoleColor: z._default(z.string(), defaultConsoleColor),
  }),
  /** The caller's relation to the project. The owner, the organisation's owner and root can edit it. */
  access: z.enum(['root', 'owner', 'organisation-owner', 'grant']),
  /** Whether the project is the caller's default, which the list shows first. */
  isDefault: z.boolean(),
  createdAt: instant,
  revision,
  ...lastChange,
})
export type Project = z.infer<typeof project>

const color = z
  .string()
  .check(z.regex(/^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i, 'Must be a colour such as #444 or #0b6470'))
const shortText = nameText(limits.labelMax, { min: 0 })
const sku = z.string().check(z.maxLength(100))
const products = z.array(sku).check(z.maxLength(100))
const productRole = z.string().check(z.minLength(1), z.maxLength(200))

const seen = ['UNAUTHENTICATED', 'NOT_FOUND'] as const
const edited = [...seen, 'FORBIDDEN'] as const

/** A finding of a project check. */
const problem = z.object({
  part: z.enum(['owner', 'organisation', 'product', 'grant']),
  message: z.string(),
})

/** One step from a user to the target. */
const accessStep = z.object({
  level: z.enum(['person', 'organisation', 'project', 'product', 'app', 'tab']),
  /** Subject of the step: a label, a sku or an app's id. */
  name: z.string(),
  allowed: z.boolean(),
  /** Reason for the result, in one sentence. */
  reason: z.string(),
})
const effectiveAccess = z.object({
  allowed: z.boolean(),
  steps: z.array(accessStep),
  /** Scope entries of the user for this project. */
  scope: z.array(z.string()),
})
export type EffectiveAccess = z.infer<typeof effectiveAccess>

export const projectEndpoints = {
  list: endpoint('GET', '/projects', {
    summary:
      'Lists the projects that the caller may see: the default project first, then in the order of their creation.',
    query: pageQuery,
    reply: pageOf(project),
    errors: ['UNAUTHENTICATED'],
  }),
  create: endpoint('POST', '/projects', {
    summary:
      'Creates a project, private or in an organisation that the caller belongs to; idempotent with an Idempotency-Key.',
    body: z.strictObject({
      label,
      org: z.optional(z.nullable(id)),
      /** Skus of products in addition to those of every project. */
      products: z.optional(products),
    }),
    reply: project,
    errors: [...seen, 'TOO_MANY_PROJECTS', 'UNKNOWN_PRODUCT'],
  }),
  read: endpoint('GET', '/projects/:projectId', {
    summary: 'Reads a project.',
    reply: project,
    errors: [...seen],
  }),
  update: endpoint('PUT', '/projects/:projectId', {
    summary: 'Changes the given fields of a project, and only the given fields of `meta` and `config`.',
    body: z.strictObject({
      label: z.optional(label),
      org: z.optional(z.nullable(id)),
      products: z.optional(products),
      meta: z.optional(z.strictObject({ customer: z.optional(shortText), projectId: z.optional(shortText) })),
      config: z.optional(z.strictObject({ consoleColor: z.optional(color) })),
    }),
    reply: project,
    errors: [...edited, 'REVISION_CONFLICT', 'UNKNOWN_PRODUCT', 'RECENT_SIGN_IN_NEEDED'],
  }),
  remove: endpoint('DELETE', '/projects/:projectId', {
    summary: 'Deletes a project and all of its records.',
    reply: done,
    errors: [...edited, 'RECENT_SIGN_IN_NEEDED'],
  }),
  verify: endpoint('POST', '/projects/:projectId/verify', {
    summary: 'Checks whether the owner, organisation, products and grants of a project are consistent.',
    reply: z.object({ verified: z.boolean(), problems: z.array(problem) }),
    errors: [...seen],
  }),
  setDefault: endpoint('POST', '/projects/:projectId/set-default', {
    summary: 'Makes a project the caller’s default.',
    reply: project,
    errors: [...seen],
  }),
  changeProductRole: endpoint('POST', '/projects/:projectId/grants/:grantId/product-role', {
    summary: 'Changes the product role of a grant.',
    body: z.strictObject({ productRole }),
    reply: grant,
    errors: [...edited, 'UNKNOWN_PRODUCT_ROLE', 'ALREADY_GRANTED', 'RECENT_SIGN_IN_NEEDED'],
  }),
  access: endpoint('GET', '/projects/:projectId/access/:personId', {
    summary: 'Explains why a user can or cannot see the project, one of its apps or a tab of that app.',
    query: z.strictObject({
      app: z.optional(z.string().check(z.maxLength(100))),
      tab: z.optional(z.string().check(z.maxLength(100))),
    }),
    reply: effectiveAccess,
    errors: [...edited],
  }),
  invitations: endpoint('GET', '/projects/:projectId/invitations', {
    summary: 'Lists the pending invitations to the project.',
    reply: listOf(pendingInvitation),
    errors: [...edited],
  }),
  invite: endpoint('POST', '/projects/:projectId/invitations', {
    summary:
      'Invites an address to the project with a product role and revokes an earlier invitation of the same address.',
    body: z.strictObject({ email: invitedEmail, productRole }),
    reply: sentInvitation,
    errors: [...edited, 'UNKNOWN_PRODUCT_ROLE', 'ALREADY_MEMBER', 'RECENT_SIGN_IN_NEEDED'],
  }),
  resendInvitation: endpoint('POST', '/projects/:projectId/invitations/:invitationId/resend', {
    summary: 'Sends an invitation again with a new link, valid for seven days, and invalidates the old link.',
    reply: sentInvitation,
    errors: [...edited, 'RECENT_SIGN_IN_NEEDED'],
  }),
  revokeInvitation: endpoint('DELETE', '/projects/:projectId/invitations/:invitationId', {
    summary: 'Revokes an invitation.',
    reply: done,
    errors: [...edited],
  }),
}

/** A grant of a user with its project. */
const grantOfPerson = z.object({
  _id: id,
  productRole: z.nullable(z.string()),
  project: z.object({
    _id: id,
    label: z.string(),
    /** Skus of the project's products. */
    products: z.array(z.string()),
  }),
})
export type GrantOfPerson = z.infer<typeof grantOfPerson>

/** Maximum number of roles in one call; the products of a project offer fewer. */
const rolesMost = 50

export const rootGrantEndpoints = {
  ofPerson: endpoint('GET', '/apps/root/people/:personId/grants', {
    summary: 'Lists the grants of a user in all projects, by project label.',
    reply: listOf(grantOfPerson),
    errors: ['UNAUTHENTICATED', 'FORBIDDEN', 'NOT_FOUND'],
  }),
  add: endpoint('POST', '/apps/root/projects/:projectId/grants', {
    summary: 'Adds a grant without a role for a user.',
    body: z.strictObject({ user: id }),
    reply: grant,
    errors: [...edited, 'UNKNOWN_PERSON', 'ALREADY_GRANTED', 'RECENT_SIGN_IN_NEEDED'],
  }),
  update: endpoint('PUT', '/apps/root/projects/:projectId/grants/:grantId', {
    summary: 'Changes the role of a grant.',
    body: z.strictObject({ productRole: z.nullable(productRole) }),
    reply: grant,
    errors: [...edited, 'UNKNOWN_PRODUCT_ROLE', 'ALREADY_GRANTED', 'RECENT_SIGN_IN_NEEDED'],
  }),
  setRoles: endpoint('PUT', '/apps/root/projects/:projectId/people/:personId/roles', {
    summary:
      'Sets exactly these roles of a user in one transaction; an empty list removes the user from the project.',
    body: z.strictObject({ productRoles: z.array(productRole).check(z.maxLength(rolesMost)) }),
    reply: listOf(grant),
    errors: [...edited, 'UNKNOWN_PERSON', 'UNKNOWN_PRODUCT_ROLE', 'RECENT_SIGN_IN_NEEDED'],
  }),
  remove: endpoint('DELETE', '/apps/root/projects/:projectId/grants/:grantId', {
    summary: 'Removes a grant.',
    reply: done,
    errors: [...edited, 'RECENT_SIGN_IN_NEEDED'],
  }),
}
