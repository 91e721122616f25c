import * as z from 'zod/mini'
import { instant, lastChange, revision, wholeNumber } from './collection.ts'
import { endpoint } from './endpoint.ts'

/*
 * Automatic updates of a project's agents. The server requests updates; the agents verify and apply them (decision
 * records 147 and 148).
 */

const timeOfDay = z.string().check(z.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/))

const timeZone = z.string().check(
  z.maxLength(64),
  z.refine((value) => {
    try {
      return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone !== ''
    } catch {
      return false
    }
  }, 'Must be the name of a time zone'),
)

const edgeUpdatePolicy = z.strictObject({
  /**
   * `rings`: in steps, each after the previous step is healthy; `now`: as soon as an edge is online; `window`: like
   * `now`, but only within a time of day; `manual`: only at a user's request.
   */
  mode: z.enum(['rings', 'now', 'window', 'manual']),
  /** Percentage of edges that each step reaches, in ascending order up to 100. */
  rings: z.array(wholeNumber(1, 100)).check(
    z.minLength(1),
    z.maxLength(10),
    z.refine(
      (value) => value.every((percent, index) => percent > (value[index - 1] ?? 0)) && value.at(-1) === 100,
      'Must ascend to 100',
    ),
  ),
  /** Minutes between the last request of a step and the first of the next. */
  pause: wholeNumber(0, 10_080),
  /** The window ends on the next day if `to` is not after `from`. */
  window: z.strictObject({ from: timeOfDay, to: timeOfDay, timeZone }),
})
export type EdgeUpdatePolicy = z.infer<typeof edgeUpdatePolicy>

/** Policy of a project that has not set one. */
export const usualEdgeUpdatePolicy: EdgeUpdatePolicy = {
  mode: 'rings',
  rings: [10, 50, 100],
  pause: 10,
  window: { from: '02:00', to: '05:00', timeZone: 'UTC' },
}

const edgeUpdates = z.object({
  policy: edgeUpdatePolicy,
  /** Revision of the policy; 0 before its first change. */
  revision,
  /** Null before the first change. */
  updatedAt: z.nullable(instant),
  updatedBy: lastChange.updatedBy,
  /** The version that the server provides. */
  version: z.string(),
  /** The agents of enrolled edges by version, most frequent first. */
  versions: z.array(z.object({ version: z.string(), count: z.number(), isCurrent: z.boolean() })),
  /** Number of outdated edges, by reason. */
  counts: z.object({
    /** Requested within the last minutes. */
    running: z.number(),
    /** Rolled back to the previous version. */
    failed: z.number(),
    /** Offline since the request. */
    away: z.number(),
    /** The agent cannot update itself: it is too old, or was enrolled without a key of releases. */
    unable: z.number(),
    /** Not requested yet, or offline. */
    waiting: z.number(),
  }),
  /** Whether failed or absent edges block the next step. */
  isHeld: z.boolean(),
})
export type EdgeUpdates = z.infer<typeof edgeUpdates>

const path = '/projects/:projectId/edge-updates'
const seen = ['UNAUTHENTICATED', 'NOT_FOUND', 'FORBIDDEN'] as const

/** Reading needs the role `edges` of the project, changing `edges:manage`. */
export const edgeUpdateEndpoints = {
  read: endpoint('GET', path, {
    summary: 'Returns the agent versions of a project’s edges and the update policy.',
    reply: edgeUpdates,
    errors: [...seen],
  }),
  update: endpoint('PUT', path, {
    summary: 'Changes the update policy; If-Match detects concurrent changes.',
    body: edgeUpdatePolicy,
    reply: edgeUpdates,
    errors: [...seen, 'REVISION_CONFLICT', 'RECENT_SIGN_IN_NEEDED'],
  }),
}
