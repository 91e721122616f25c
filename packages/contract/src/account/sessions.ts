import * as z from 'zod/mini'
import { done, id, instant, listOf } from '../collection.ts'
import { endpoint } from '../endpoint.ts'

const sessionRecord = z.object({
  _id: id,
  /** The browser's User-Agent header, at most 300 characters. */
  userAgent: z.string(),
  /** Network address at sign-in. */
  address: z.string(),
  createdAt: instant,
  /** Precise to the minute. */
  lastSeenAt: instant,
  /** Whether the request belongs to this session. */
  isCurrent: z.boolean(),
})
export type SessionRecord = z.infer<typeof sessionRecord>

const activity = z.object({
  _id: id,
  at: instant,
  /** Event as `room.verb`: `login.password`, `email.default-changed`. Later versions add events. */
  event: z.string(),
  result: z.enum(['success', 'failure']),
  /** Network address of the caller; null for the operator's command line. */
  address: z.nullable(z.string()),
  /** Subject of the event as shown to the user: an address, a passkey's label. Null for events without a subject. */
  about: z.nullable(z.string()),
})
export type Activity = z.infer<typeof activity>

export const ownSessionEndpoints = {
  list: endpoint('GET', '/me/account/sessions', {
    summary: 'Lists the caller’s sessions: the current session first, then by last use.',
    reply: listOf(sessionRecord),
    errors: ['UNAUTHENTICATED'],
  }),
  end: endpoint('DELETE', '/me/account/sessions/:sessionId', {
    summary: 'Ends one of the caller’s sessions and closes its sockets.',
    reply: done,
    errors: ['UNAUTHENTICATED', 'NOT_FOUND'],
  }),
  endOthers: endpoint('DELETE', '/me/account/sessions', {
    summary: 'Ends all sessions of the caller except the current one.',
    reply: done,
    errors: ['UNAUTHENTICATED'],
  }),
  activity: endpoint('GET', '/me/account/activity', {
    summary: 'Lists the events of the caller’s account, newest first, 20 per page.',
    query: z.strictObject({
      /** `next` of the previous page. */
      after: z.optional(id),
    }),
    reply: z.object({
      items: z.array(activity),
      /** Exact up to 10,000. */
      total: z.number(),
      totalIsCapped: z.optional(z.boolean()),
      /** Present if another page follows: the value for `after`. */
      next: z.optional(id),
    }),
    errors: ['UNAUTHENTICATED'],
  }),
}

export const rootSessionEndpoints = {
  list: endpoint('GET', '/apps/root/people/:personId/sessions', {
    summary: 'Lists the sessions of a user.',
    reply: listOf(sessionRecord),
    errors: ['UNAUTHENTICATED', 'FORBIDDEN', 'NOT_FOUND'],
  }),
  endAll: endpoint('DELETE', '/apps/root/people/:personId/sessions', {
    summary: 'Ends all sessions of a user.',
    reply: done,
    errors: ['UNAUTHENTICATED', 'FORBIDDEN', 'NOT_FOUND'],
  }),
  end: endpoint('DELETE', '/apps/root/people/:personId/sessions/:sessionId', {
    summary: 'Ends one session of a user.',
    reply: done,
    errors: ['UNAUTHENTICATED', 'FORBIDDEN', 'NOT_FOUND'],
  }),
}
