import * as z from 'zod/mini'
import { accessRequest } from './access-requests.ts'
import { id, instant } from './collection.ts'
import { endpoint } from './endpoint.ts'
import { task } from './tasks.ts'

/*
 * The home of a project: one answer with all that a caller may see of the project at a glance. A part that the caller
 * may not see is null, like a part that does not exist, so that nothing hints at it.
 *
 * Live: a screen reads again after an event of these existing topics, at most once a second. It subscribes to the
 * topics of the parts that the answer contains; each topic ends when its right ends.
 *
 *   /projects/{id}/edges   `change` and `edge:presence`, also for trouble                    fleet, problems
 *   /projects/{id}/LTT     `task:created`, `task:fulfilled`, `task:archived`, `task:restored`  tasks, problems, activity
 *                          `task:state` only updates the progress in place; it needs no reading
 *   /projects/{id}/notes, /projects/{id}/media                                              counts, activity
 *   projects               `change` of this id: people, roles, invitations; `remove`: the project is gone
 *
 * Values in cells (load) change without an event: a visible screen reads again every 15 s.
 */

/** A person as shown to other users: first and last name. */
const face = z.object({ _id: id, name: z.string() })
export type Face = z.infer<typeof face>

/** People of a project: its owner and the holders of its roles, the owner first. */
export const people = z.object({
  total: z.number(),
  /** The first five. */
  first: z.array(face),
})

/** A label and where it leads. */
const named = z.object({ _id: id, label: z.string() })

/**
 * `danger`: an edge is offline or a task has failed. `warning`: a disk is nearly full or a program has stopped. `info`:
 * an invitation expires.
 */
const severity = z.enum(['danger', 'warning', 'info'])
export type Severity = z.infer<typeof severity>

/** Values of an edge in whole percent; null if the agent does not report them. Load is the average of one minute, divided by the cores. */
const edgeValues = z.object({
  load: z.nullable(z.number()),
  memory: z.nullable(z.number()),
  disk: z.nullable(z.number()),
})

/**
 * The problems of a project, each with the fields of `extra`. Their `id` is stable: the same problem has the same id in
 * every answer.
 */
// @__NO_SIDE_EFFECTS__
export const problemWith = <Extra extends z.core.$ZodShape>(extra: Extra) => {
  const common = { id: z.string(), severity, ...extra }
  return z.discriminatedUnion('kind', [
    z.object({
      ...common,
      kind: z.literal('edgeOffline'),
      edge: named,
      since: instant,
      /** The last report; null if it never reported. */
      last: z.nullable(edgeValues),
    }),
    z.object({
      ...common,
      kind: z.literal('diskFull'),
      edge: named,
      /** When the server first saw it, at the earliest when this version was installed. */
      since: instant,
      /** 90 to 100. */
      usedPercent: z.number(),
    }),
    z.object({
      ...common,
      kind: z.literal('programStopped'),
      edge: named,
      program: named,
      /** See `diskFull`. */
      since: instant,
      canRestart: z.boolean(),
    }),
    /** Rejected or timed out in the last 24 hours, and not archived. */
    z.object({
      ...common,
      kind: z.literal('taskFailed'),
      task: z.object({ _id: id, type: z.string(), title: z.string() }),
      since: instant,
      reason: z.enum(['rejected', 'timed-out']),
      /** The task's error text, if any. */
      error: z.nullable(z.string()),
      /** Null for a task of the installation or of a deleted account. */
      startedBy: z.nullable(face),
      /** Whether the caller may archive it, which ends the problem. */
      mayEnd: z.boolean(),
      /** Whether the caller may end it, and it can be retried. */
      mayRetry: z.boolean(),
    }),
    /** Expires within 24 hours, or expired in the last seven days. */
    z.object({
      ...common,
      kind: z.literal('invitationExpires'),
      invitation: id,
      email: z.string(),
      expiresAt: instant,
      isExpired: z.boolean(),
    }),
  ])
}

const problem = problemWith({})
export type Problem = z.infer<typeof problem>

/** `trouble`: online with a nearly full disk or a stopped program; `waiting`: its agent has never connected. */
export const fleetState = z.enum(['online', 'trouble', 'offline', 'waiting', 'revoked'])
export type FleetState = z.infer<typeof fleetState>

/** Edges by state. */
export const fleetCounts = z.object({
  total: z.number(),
  online: z.number(),
  trouble: z.number(),
  offline: z.number(),
  waiting: z.number(),
  revoked: z.number(),
})
export type FleetCounts = z.infer<typeof fleetCounts>

const fleet = z.object({
  counts: fleetCounts,
  /**
   * The worst 96, offline ones first, then by label. Fewer than `counts.total` when there are more edges; empty if
   * `tags` is not.
   */
  cells: z.array(
    z.object({
      _id: id,
      label: z.string(),
      state: fleetState,
      /** Whole percent of the cores; null unless the edge is online. */
      load: z.nullable(z.number()),
    }),
  ),
  /**
   * Of more than 96 edges: the edges of each tag, the tags of most edges first, up to twelve; then the edges without a
   * tag, if any (null). An edge counts for each of its tags. Empty for up to 96 edges, and if no edge has a tag.
   */
  tags: z.array(z.object({ tag: z.nullable(z.string()), counts: fleetCounts })),
  /** Programs that the online edges report. */
  programs: z.object({ running: z.number(), total: z.number() }),
  /** Stream Decks attached to online edges. */
  decks: z.number(),
})

const tasks = z.object({
  /** The newest twenty. */
  running: z.array(task),
  runningTotal: z.number(),
  /** Failed in the last 24 hours and not archived: the last five of the first fifty, newest first. */
  failed: z.array(task),
  failedTotal: z.number(),
})

/**
 * Entries of the audit log that the caller may see, without addresses and details. Entries of one person within ten
 * minutes are one.
 */
export const activity = z.object({
  /** The newest entry's id. */
  _id: id,
  at: instant,
  /** `room.verb`, as in the audit log. */
  event: z.string(),
  /** Null if a machine or the installation acted. The name is empty if the account was deleted. */
  actor: z.nullable(face),
  target: z.nullable(
    z.object({
      /** Null for a target that is no record: an invited address. */
      _id: z.nullable(id),
      /** Its label at that time; null if it is unknown. */
      label: z.nullable(z.string()),
    }),
  ),
  /** Folded entries with the same event, this one included. */
  count: z.number(),
})
export type ActivityEntry = z.infer<typeof activity>

/** The caller's relation to a project. */
export const relation = {
  access: z.enum(['root', 'owner', 'organisation-owner', 'grant']),
  /** The labels of the caller's product roles, in their language. */
  roles: z.array(z.string()),
} as const

const home = z.object({
  /** The time of this answer. */
  at: instant,
  project: z.object({
    _id: id,
    label: z.string(),
    org: z.nullable(id),
    orgLabel: z.nullable(z.string()),
    owner: face,
  }),
  me: z.object(relation),
  /** For users who see the people of the project: those who may edit it or hold `project-details:people`. */
  people: z.nullable(people),
  /**
   * Offline edges first, then failed tasks, trouble and invitations, the longest first in each; up to 50. Edges need
   * the role `edges`, tasks are for all readers of the project, invitations for its owner and root.
   */
  problems: z.array(problem),
  problemsTotal: z.number(),
  /** While nothing is wrong: when the last known outage, trouble or failed task was over. Null if none is known. */
  wellSince: z.nullable(instant),
  /** For the role `edges` in a project that uses its product. */
  fleet: z.nullable(fleet),
  tasks,
  /** At most eight, newest first. */
  activity: z.array(activity),
  /** Pending invitations, the first to expire first, up to five. For the owner and root. */
  invitations: z.nullable(
    z.object({
      total: z.number(),
      items: z.array(
        z.object({
          _id: id,
          email: z.string(),
          expiresAt: instant,
          isExpired: z.boolean(),
          /** The label of the role that it carries, in the caller's language. */
          role: z.nullable(z.string()),
        }),
      ),
    }),
  ),
  /** Pending requests for access, the oldest first, up to five. For the owner and root. */
  accessRequests: z.nullable(
    z.object({
      total: z.number(),
      items: z.array(z.object({ ...accessRequest.shape, /** The role's label. */ role: z.string() })),
    }),
  ),
  /** Number of records behind an app, capped at 10,000; null for an app that the caller may not open. */
  counts: z.object({
    edges: z.nullable(z.number()),
    media: z.nullable(z.number()),
    notes: z.nullable(z.number()),
  }),
})
export type Home = z.infer<typeof home>

export const homeEndpoints = {
  read: endpoint('GET', '/projects/:projectId/home', {
    summary: 'All that the caller may see of a project at a glance. Parts that they may not see are null.',
    reply: home,
    errors: ['UNAUTHENTICATED', 'NOT_FOUND'],
  }),
}
