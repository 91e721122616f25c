import * as z from 'zod/mini'
import { instant, lastChange, revision, wholeNumber } from './collection.ts'
import { endpoint } from './endpoint.ts'

/*
 * How the agents of a project become current. The server orders updates; the agents verify and apply them (decision
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
   * `rings`: in steps, each after the step before is healthy; `now`: as soon as an edge is online; `window`: the same,
   * within a time of the day; `manual`: only when a user orders it.
   */
  mode: z.enum(['rings', 'now', 'window', 'manual']),
  /** Percent of the edges that each step reaches, rising to 100. */
  rings: z.array(wholeNumber(1, 100)).check(
    z.minLength(1),
    z.maxLength(10),
    z.refine(
      (value) => value.every((percent, index) => percent > (value[index - 1] ?? 0)) && value.at(-1) === 100,
      'Must rise to 100',
    ),
  ),
  /** Minutes between the last order of a step and the first of the next. */
  pause: wholeNumber(0, 10_080),
  /** Ends on the next day if `to` is not after `from`. */
  window: z.strictObject({ from: timeOfDay, to: timeOfDay, timeZone }),
})
export type EdgeUpdatePolicy = z.infer<typeof edgeUpdatePolicy>

/** The policy of a project without one of its own. */
export const usualEdgeUpdatePolicy: EdgeUpdatePolicy = {
  mode: 'rings',
  rings: [10, 50, 100],
  pause: 10,
  window: { from: '02:00', to: '05:00', timeZone: 'UTC' },
}

const edgeUpdates = z.object({
  policy: edgeUpdatePolicy,
  /** Of the policy; 0 before its first change. */
  revision,
  /** Null before the first change. */
  updatedAt: z.nullable(instant),
  updatedBy: lastChange.updatedBy,
  /** The version that the server serves. */
  version: z.string(),
  /** The agents of enrolled edges by version, most first. */
  versions: z.array(z.object({ version: z.string(), count: z.number(), isCurrent: z.boolean() })),
  /** Edges that are not current, by what holds them. */
  counts: z.object({
    /** Ordered in the last minutes. */
    running: z.number(),
    /** They went back to their former version. */
    failed: z.number(),
    /** Offline since they were ordered. */
    away: z.number(),
    /** Their agent cannot update itself: it is too old, or was enrolled without a key of releases. */
    unable: z.number(),
    /** Not ordered yet, or offline. */
    waiting: z.number(),
  }),
  /** Failed or absent edges hold the next step. */
  isHeld: z.boolean(),
})
export type EdgeUpdates = z.infer<typeof edgeUpdates>

const path = '/projects/:projectId/edge-updates'
const seen = ['UNAUTHENTICATED', 'NOT_FOUND', 'FORBIDDEN'] as const

/** To see it needs the role `edges` of the project, to change it `edges:manage`. */
export const edgeUpdateEndpoints = {
  read: endpoint('GET', path, {
    summary: 'The versions of the agents of a project, and how they are updated.',
    reply: edgeUpdates,
    errors: [...seen],
  }),
  update: endpoint('PUT', path, {
    summary:
      'Changes how the agents of a project are updated. If-Match refuses it when another user was faster.',
    body: edgeUpdatePolicy,
    reply: edgeUpdates,
    errors: [...seen, 'REVISION_CONFLICT'],
  }),
}
