import * as z from 'zod/mini'
import { id, instant, pageOf, pageQuery } from './collection.ts'
import { endpoint } from './endpoint.ts'
import { activity, fleetCounts, people, problemWith, relation } from './home.ts'
import { defaultConsoleColor } from './limits.ts'

/*
 * The overview: the state of all projects that the caller may see, in one answer. As at home, parts that the caller may
 * not see are null, and do not count.
 *
 * Live: the topic `projects`, and `/projects/{id}/edges` and `/projects/{id}/LTT` of the rows in view; in addition a
 * visible screen reads again every 15 s.
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
  /** The share of the last seven days in which its edges were connected, from 0 to 1. Null without one that ever was. */
  reach: z.nullable(z.number()),
  problems: z.object({
    count: z.number(),
    /** Null without a problem. */
    worst: z.nullable(z.enum(['danger', 'warning', 'info'])),
    /** The kind of the worst problem that has lasted longest. */
    kind: z.nullable(
      z.enum(['edgeOffline', 'taskFailed', 'diskFull', 'programStopped', 'invitationExpires']),
    ),
  }),
  /** `failed`: in the last 24 hours and not archived. */
  tasks: z.object({ running: z.number(), failed: z.number() }),
  people: z.nullable(people),
  /** The newest entry of the audit log that the caller may see. */
  lastActivityAt: z.nullable(instant),
})
export type ProjectState = z.infer<typeof projectState>

const summary = z.object({
  /** Null if the caller sees the edges of no project. */
  edges: z.nullable(fleetCounts),
  problems: z.number(),
  tasks: z.object({ running: z.number(), failed: z.number() }),
  /** The ten worst problems of all projects but `attentionExcept`, in the order of those at home. */
  attention: z.array(problemOfProject),
  /** At most eight, newest first. */
  activity: z.array(z.object({ ...activity.shape, ...ofProject })),
})

const overview = z.object({
  ...pageOf(projectState).shape,
  /** The time of this answer. */
  at: instant,
  /** Summary of all projects, independent of the search. Null on later pages. */
  summary: z.nullable(summary),
})
export type Overview = z.infer<typeof overview>

/**
 * The order of the projects: `worst` first and then as they were created; by `name`; or by `recent` activity that the
 * caller may see, the newest first.
 */
const overviewSort = z.enum(['worst', 'name', 'recent'])
export type OverviewSort = z.infer<typeof overviewSort>

const overviewQuery = z.strictObject({
  ...pageQuery.shape,
  sort: z.optional(overviewSort),
  /** A project whose problems `summary.attention` leaves out, for a screen that shows them itself. They still count. */
  attentionExcept: z.optional(id),
})

export const overviewEndpoints = {
  read: endpoint('GET', '/overview', {
    summary:
      'The state of the projects that the caller may see, by default the worst first, then in the order of their creation. Search knows label, org, customer and private.',
    query: overviewQuery,
    reply: overview,
    errors: ['UNAUTHENTICATED'],
  }),
  ofOrganisation: endpoint('GET', '/orgs/:orgId/overview', {
    summary: 'The same for the projects of one organisation.',
    query: overviewQuery,
    reply: overview,
    errors: ['UNAUTHENTICATED', 'NOT_FOUND'],
  }),
}
