import * as z from 'zod/mini'
import { done, id, instant, listOf } from './collection.ts'
import { endpoint } from './endpoint.ts'
import { limits } from './limits.ts'
import { longText } from './text.ts'

const role = z.object({
  /** `product/role`, for `accessRequestEndpoints`. */
  id: z.string(),
  /** In the caller's language. */
  label: z.string(),
})

/**
 * The `detail` of FORBIDDEN when a caller sees a project and lacks a right in it. `roles` are the product roles of the
 * project that grant the right, the lowest first; empty if only the owner has the right. The caller can ask the owner.
 */
export const refusal = z.object({
  project: id,
  roles: z.array(role),
  owner: z.object({ _id: id, name: z.string() }),
})
export type Refusal = z.infer<typeof refusal>

/** A caller's own request. */
const ownAccessRequest = z.object({
  _id: id,
  role,
  createdAt: instant,
  /** `invited`: a pending invitation of the caller's address carries the role. */
  state: z.enum(['pending', 'invited', 'granted', 'declined']),
  /** When the request was granted or declined. */
  endedAt: z.nullable(instant),
  /** Name of the user who granted or declined the request; null after the account was deleted. */
  endedBy: z.nullable(z.string()),
})
export type OwnAccessRequest = z.infer<typeof ownAccessRequest>

/** A pending request, for the users who can answer it. */
export const accessRequest = z.object({
  _id: id,
  person: z.object({
    _id: id,
    name: z.string(),
    /** The default address. An invitation with the role answers the request as well. */
    email: z.string(),
    /** False if neither a mail nor root has confirmed the address, so it may belong to another person. */
    isEmailVerified: z._default(z.boolean(), true),
  }),
  productRole: z.string(),
  message: z.string(),
  createdAt: instant,
})
export type AccessRequest = z.infer<typeof accessRequest>

const asked = ['UNAUTHENTICATED', 'NOT_FOUND'] as const
const answered = [...asked, 'FORBIDDEN'] as const

export const accessRequestEndpoints = {
  offer: endpoint('GET', '/projects/:projectId/access-requests/offer', {
    summary:
      'Returns the roles that the caller can request, the project’s owner, and the caller’s requests of the last seven days.',
    query: z.strictObject({
      /** Only roles that open this app; none if the project has no such app. */
      app: z.optional(z.string().check(z.maxLength(100))),
      /** Only roles that contain this role of an app or of a tab: `project-details:notes`. */
      role: z.optional(z.string().check(z.maxLength(200))),
    }),
    reply: z.object({ ...refusal.shape, requests: z.array(ownAccessRequest) }),
    errors: [...asked],
  }),
  create: endpoint('POST', '/projects/:projectId/access-requests', {
    summary:
      'Requests a product role from the project’s owner and root, and mails the owner; the caller must see the project and lack the role.',
    body: z.strictObject({
      productRole: z.string().check(z.minLength(1), z.maxLength(200)),
      message: z.optional(longText(limits.accessMessageMax).check(z.trim())),
    }),
    reply: done,
    errors: [...asked, 'UNKNOWN_PRODUCT_ROLE', 'ALREADY_GRANTED'],
  }),
  list: endpoint('GET', '/projects/:projectId/access-requests', {
    summary: 'Lists pending requests, oldest first, except those that a pending invitation already answers.',
    reply: listOf(accessRequest),
    errors: [...answered],
  }),
  decline: endpoint('POST', '/projects/:projectId/access-requests/:requestId/decline', {
    summary:
      'Declines a request and mails the requester; granting the role ends a request without this call.',
    reply: done,
    errors: [...answered],
  }),
}
