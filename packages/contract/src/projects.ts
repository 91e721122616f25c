import * as z from 'zod/mini'
import { done, id, instant, label, lastChange, listOf, pageOf, pageQuery, revision } from './collection.ts'
import { endpoint } from './endpoint.ts'
import { invitedEmail, pendingInvitation, sentInvitation } from './invitations.ts'
import { defaultConsoleColor, limits } from './limits.ts'

export const projectErrors = {
  UNKNOWN_PRODUCT: { status: 400, message: 'This product is not installed' },
  UNKNOWN_PRODUCT_ROLE: { status: 400, message: 'The project’s products have no such role' },
  UNKNOWN_PERSON: { status: 400, message: 'This person does not exist' },
  TOO_MANY_PROJECTS: {
    status: 409,
    message: 'You own as many projects as one person may. Ask root to raise the limit',
  },
  ALREADY_GRANTED: { status: 409, message: 'This person already has this role' },
} as const

/** A person's access to a project, by a role of one of its products. One person may hold several. */
const grant = z.object({
  _id: id,
  /** The user id of the person. */
  user: id,
  /** First and last name of the person. */
  name: z.string(),
  /** `product/role`; null until it is set, and then it grants nothing. */
  productRole: z.nullable(z.string()),
})
export type Grant = z.infer<typeof grant>

export const project = z.object({
  _id: id,
  label: z.string(),
  /** The organisation's id; null for a private project. */
  org: z.nullable(id),
  /** The organisation's label, also for users who may not see the organisation itself. */
  orgLabel: z.nullable(z.string()),
  /** The owner's user id. */
  owner: id,
  /** First and last name of the owner. */
  ownerName: z.string(),
  /** Skus of the products it uses. */
  products: z.array(z.string()),
  /**
   * All grants for users who may edit the project or hold the role `project-details:people`, otherwise the caller's
   * own.
   */
  grants: z.array(grant),
  meta: z.object({
    /** The customer's name. */
    customer: z.string(),
    /** The number or name under which the project is known elsewhere. */
    projectId: z.string(),
  }),
  config: z.object({
    /** A CSS colour `#rgb` or `#rrggbb`. */
    consoleColor: z._default(z.string(), defaultConsoleColor),
  }),
  /** The caller's relation to it. The owner, the organisation's owner and root can edit it. */
  access: z.enum(['root', 'owner', 'organisation-owner', 'grant']),
  /** This person's default project: it comes first in the list. */
  isDefault: z.boolean(),
  createdAt: instant,
  revision,
  ...lastChange,
})
export type Project = z.infer<typeof project>

const color = z
  .string()
  .check(z.regex(/^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i, 'Must be a colour such as #444 or #0b6470'))
const shortText = z.string().check(z.trim(), z.maxLength(limits.labelMax), z.regex(/^\P{Cc}*$/u))
const sku = z.string().check(z.maxLength(100))
const products = z.array(sku).check(z.maxLength(100))
const productRole = z.string().check(z.minLength(1), z.maxLength(200))

const seen = ['UNAUTHENTICATED', 'NOT_FOUND'] as const
const edited = [...seen, 'FORBIDDEN'] as const

/** The result of a project check. */
const problem = z.object({
  /** `owner`, `organisation`, `product`, `grant`. */
  part: z.enum(['owner', 'organisation', 'product', 'grant']),
  message: z.string(),
})

/** One step between a person and the target. */
const accessStep = z.object({
  /** `organisation`, `project`, `product`, `app`, `tab`. */
  level: z.enum(['person', 'organisation', 'project', 'product', 'app', 'tab']),
  /** The step's subject: a label, a sku, an app's id. */
  name: z.string(),
  allowed: z.boolean(),
  /** Why or why not, in one sentence. */
  reason: z.string(),
})
const effectiveAccess = z.object({
  allowed: z.boolean(),
  steps: z.array(accessStep),
  /** The person's scope entries of this project. */
  scope: z.array(z.string()),
})
export type EffectiveAccess = z.infer<typeof effectiveAccess>

export const projectEndpoints = {
  list: endpoint('GET', '/projects', {
    summary:
      'The projects that the caller may see: the default one first, then in the order of their creation.',
    query: pageQuery,
    reply: pageOf(project),
    errors: ['UNAUTHENTICATED'],
  }),
  create: endpoint('POST', '/projects', {
    summary:
      'Creates a project, private or in an organisation that the caller belongs to. Repeatable with an Idempotency-Key.',
    body: z.strictObject({
      label,
      org: z.optional(z.nullable(id)),
      /** Skus of products besides those of every project. */
      products: z.optional(products),
    }),
    reply: project,
    errors: [...seen, 'TOO_MANY_PROJECTS', 'UNKNOWN_PRODUCT'],
  }),
  read: endpoint('GET', '/projects/:projectId', {
    summary: 'One project.',
    reply: project,
    errors: [...seen],
  }),
  update: endpoint('PUT', '/projects/:projectId', {
    summary: 'Changes the fields that are sent; those of `meta` and `config` one by one.',
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
    summary: 'Deletes a project with all that belongs to it.',
    reply: done,
    errors: [...edited, 'RECENT_SIGN_IN_NEEDED'],
  }),
  verify: endpoint('POST', '/projects/:projectId/verify', {
    summary: 'Checks whether owner, organisation, products and grants of a project are still in order.',
    reply: z.object({ verified: z.boolean(), problems: z.array(problem) }),
    errors: [...seen],
  }),
  setDefault: endpoint('POST', '/projects/:projectId/set-default', {
    summary: 'Makes it the caller’s default project.',
    reply: project,
    errors: [...seen],
  }),
  changeProductRole: endpoint('POST', '/projects/:projectId/grants/:grantId/product-role', {
    summary: 'Gives a grant another role of the project’s products.',
    body: z.strictObject({ productRole }),
    reply: grant,
    errors: [...edited, 'UNKNOWN_PRODUCT_ROLE', 'ALREADY_GRANTED'],
  }),
  access: endpoint('GET', '/projects/:projectId/access/:personId', {
    summary: 'Why a person can or cannot see the project, one of its apps or a tab of that.',
    query: z.strictObject({
      app: z.optional(z.string().check(z.maxLength(100))),
      tab: z.optional(z.string().check(z.maxLength(100))),
    }),
    reply: effectiveAccess,
    errors: [...edited],
  }),
  invitations: endpoint('GET', '/projects/:projectId/invitations', {
    summary: 'Invitations that nobody has accepted yet.',
    reply: listOf(pendingInvitation),
    errors: [...edited],
  }),
  invite: endpoint('POST', '/projects/:projectId/invitations', {
    summary:
      'Invites somebody to the project with a product role. An earlier invitation of the address ends.',
    body: z.strictObject({ email: invitedEmail, productRole }),
    reply: sentInvitation,
    errors: [...edited, 'UNKNOWN_PRODUCT_ROLE', 'ALREADY_MEMBER'],
  }),
  resendInvitation: endpoint('POST', '/projects/:projectId/invitations/:invitationId/resend', {
    summary: 'Sends an invitation again, with a new link for seven days; the old link ends.',
    reply: sentInvitation,
    errors: [...edited],
  }),
  revokeInvitation: endpoint('DELETE', '/projects/:projectId/invitations/:invitationId', {
    summary: 'Ends an invitation.',
    reply: done,
    errors: [...edited],
  }),
}

/** A person's grant, with the project that it is for. */
const grantOfPerson = z.object({
  _id: id,
  productRole: z.nullable(z.string()),
  project: z.object({
    _id: id,
    label: z.string(),
    /** Skus of the products it uses. */
    products: z.array(z.string()),
  }),
})
export type GrantOfPerson = z.infer<typeof grantOfPerson>

/** More than any project's products offer. */
const rolesMost = 50

export const rootGrantEndpoints = {
  ofPerson: endpoint('GET', '/apps/root/people/:personId/grants', {
    summary: 'A person’s grants in all projects, by the projects’ labels.',
    reply: listOf(grantOfPerson),
    errors: ['UNAUTHENTICATED', 'FORBIDDEN', 'NOT_FOUND'],
  }),
  add: endpoint('POST', '/apps/root/projects/:projectId/grants', {
    summary: 'Gives a person a grant, without a role yet.',
    body: z.strictObject({ user: id }),
    reply: grant,
    errors: [...edited, 'UNKNOWN_PERSON', 'ALREADY_GRANTED', 'RECENT_SIGN_IN_NEEDED'],
  }),
  update: endpoint('PUT', '/apps/root/projects/:projectId/grants/:grantId', {
    summary: 'Changes a grant’s role.',
    body: z.strictObject({ productRole: z.nullable(productRole) }),
    reply: grant,
    errors: [...edited, 'UNKNOWN_PRODUCT_ROLE', 'ALREADY_GRANTED', 'RECENT_SIGN_IN_NEEDED'],
  }),
  setRoles: endpoint('PUT', '/apps/root/projects/:projectId/people/:personId/roles', {
    summary:
      'Gives a person exactly these roles in one transaction: adds and removes grants. No role removes the person.',
    body: z.strictObject({ productRoles: z.array(productRole).check(z.maxLength(rolesMost)) }),
    reply: listOf(grant),
    errors: [...edited, 'UNKNOWN_PERSON', 'UNKNOWN_PRODUCT_ROLE', 'RECENT_SIGN_IN_NEEDED'],
  }),
  remove: endpoint('DELETE', '/apps/root/projects/:projectId/grants/:grantId', {
    summary: 'Takes a grant away.',
    reply: done,
    errors: [...edited, 'RECENT_SIGN_IN_NEEDED'],
  }),
}
