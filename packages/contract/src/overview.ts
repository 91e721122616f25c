import * as z from 'zod/mini'
import { id, instant } from './collection.ts'
import { endpoint } from './endpoint.ts'
import { activity, fleetCounts, people, problemWith, relation } from './home.ts'
import { defaultConsoleColor } from './limits.ts'
import { pageOf, pageQuery } from './pages.ts'

/*
 * The overview: the state of all projects that the caller may see, in one reply. As on home, parts that the caller may
 * not see are null and do not count.
 *
 * Live updates: the topic `projects`, and `/projects/{id}/edges` and `/projects/{id}/LTT` of the rows in view. A
 * visible screen also refetches every 15 s.
 */

const ofProject = { project: z.object({ _id: id, label: z.string() }) } as const

const problemOfProject = problemWith(ofProject)
export type ProblemOfProject = z.infer<typeof problemOfProject>

const projectState = z.object({
  _id: id,
  label: z.string(),
  org: z.nullable(id),
  orgLabel: z.nullable(z.string()),
  consoleColor: z._default(z.string(), defaultConsoleColor),
  isDefault: z.boolean(),
  ...relation,
  fleet: z.nullable(fleetCounts),
  /** Share of the last seven days in which the edges were connected, 0 to 1. Null if none ever connected. */
  reach: z.nullable(z.number()),
  problems: z.object({
    count: z.number(),
    /** Severity of the worst problem; null without problems. */
    worst: z.nullable(z.enum(['danger', 'warning', 'info'])),
    /** Kind of the longest of the worst problems. */
    kind: z.nullable(
      z.enum(['edgeOffline', 'taskFailed', 'diskFull', 'programStopped', 'invitationExpires']),
    ),
  }),
  /** `failed` counts tasks that failed in the last 24 hours and are not archived. */
  tasks: z.object({ running: z.number(), failed: z.number() }),
  people: z.nullable(people),
  /** Time of the newest audit entry that the caller may see. */
  lastActivityAt: z.nullable(instant),
})
export type ProjectState = z.infer<typeof projectState>

const summary = z.object({
  /** Null if the caller sees the edges of no project. */
  edges: z.nullable(fleetCounts),
  problems: z.number(),
  tasks: z.object({ running: z.number(), failed: z.number() }),
  /** The ten worst problems of all projects except `attentionExcept`, in the same order as on home. */
  attention: z.array(problemOfProject),
  /** At most eight entries, newest first. */
  activity: z.array(z.object({ ...activity.shape, ...ofProject })),
})

const overview = z.object({
  ...pageOf(projectState).shape,
  /** Time of this reply. */
  at: instant,
  /** Summary of all projects, independent of the search. Null on later pages. */
  summary: z.nullable(summary),
})
export type Overview = z.infer<typeof overview>

/**
 * Order of the projects: `worst` first, then by creation; by `name`; or by `recent` activity that the caller may see,
 * newest first.
 */
const overviewSort = z.enum(['worst', 'name', 'recent'])
export type OverviewSort = z.infer<typeof overviewSort>

const overviewQuery = z.strictObject({
  ...pageQuery.shape,
  sort: z.optional(overviewSort),
  /** Project whose problems `summary.attention` omits, because the screen shows them elsewhere. They still count. */
  attentionExcept: z.optional(id),
})

export const overviewEndpoints = {
  read: endpoint('GET', '/overview', {
    summary:
      'Returns the state of the projects that the caller may see, worst first unless sorted otherwise; search supports label, org, customer and private.',
    query: overviewQuery,
    reply: overview,
    errors: ['UNAUTHENTICATED'],
  }),
  ofOrganisation: endpoint('GET', '/orgs/:orgId/overview', {
    summary: 'Returns the state of the projects of one organisation, like `GET /overview`.',
    query: overviewQuery,
    reply: overview,
    errors: ['UNAUTHENTICATED', 'NOT_FOUND'],
  }),
}
