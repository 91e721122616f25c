import * as z from 'zod/mini'
import { done, id, instant, listOf } from '../collection.ts'
import { endpoint } from '../endpoint.ts'

const sessionRecord = z.object({
  _id: id,
  /** The browser's own words (User-Agent), at most 300 characters. */
  userAgent: z.string(),
  /** Network address at sign-in. */
  address: z.string(),
  createdAt: instant,
  /** To the minute. */
  lastSeenAt: instant,
  /** The session that asks. */
  isCurrent: z.boolean(),
})
export type SessionRecord = z.infer<typeof sessionRecord>

const activity = z.object({
  _id: id,
  at: instant,
  /** What happened, as `room.verb`: `login.password`, `email.default-changed`. New ones are added over time. */
  event: z.string(),
  result: z.enum(['success', 'failure']),
  /** The network address it came from; null when it came from the operator's command line. */
  address: z.nullable(z.string()),
  /** The event's subject in words the user knows: an address, a passkey's label. Null when the event needs none. */
  about: z.nullable(z.string()),
})
export type Activity = z.infer<typeof activity>

export const ownSessionEndpoints = {
  list: endpoint('GET', '/me/account/sessions', {
    summary: 'Where the person is signed in: this session first, then the ones seen last.',
    reply: listOf(sessionRecord),
    errors: ['UNAUTHENTICATED'],
  }),
  end: endpoint('DELETE', '/me/account/sessions/:sessionId', {
    summary: 'Ends one of the own sessions and closes its sockets.',
    reply: done,
    errors: ['UNAUTHENTICATED', 'NOT_FOUND'],
  }),
  endOthers: endpoint('DELETE', '/me/account/sessions', {
    summary: 'Ends all of the own sessions but this one.',
    reply: done,
    errors: ['UNAUTHENTICATED'],
  }),
  activity: endpoint('GET', '/me/account/activity', {
    summary: 'What happened to the account, the newest first, 20 a page.',
    query: z.strictObject({
      /** `next` of the page before. */
      after: z.optional(id),
    }),
    reply: z.object({
      items: z.array(activity),
      /** Exact up to 10,000. */
      total: z.number(),
      totalIsCapped: z.optional(z.boolean()),
      /** Whether another page follows. */
      next: z.optional(id),
    }),
    errors: ['UNAUTHENTICATED'],
  }),
}

export const rootSessionEndpoints = {
  list: endpoint('GET', '/apps/root/people/:personId/sessions', {
    summary: 'Where a person is signed in.',
    reply: listOf(sessionRecord),
    errors: ['UNAUTHENTICATED', 'FORBIDDEN', 'NOT_FOUND'],
  }),
  endAll: endpoint('DELETE', '/apps/root/people/:personId/sessions', {
    summary: 'Ends all sessions of a person.',
    reply: done,
    errors: ['UNAUTHENTICATED', 'FORBIDDEN', 'NOT_FOUND'],
  }),
  end: endpoint('DELETE', '/apps/root/people/:personId/sessions/:sessionId', {
    summary: 'Ends one session of a person.',
    reply: done,
    errors: ['UNAUTHENTICATED', 'FORBIDDEN', 'NOT_FOUND'],
  }),
}
