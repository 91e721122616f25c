import * as z from 'zod/mini'
import { accessRequest } from './access-requests.ts'
import { id, instant } from './collection.ts'
import { endpoint } from './endpoint.ts'
import { task, taskMessage } from './tasks.ts'

/*
 * The home of a project: one reply with an overview of all parts that the caller may see. Other parts are null, like
 * parts that do not exist, so that the reply does not reveal them.
 *
 * Live updates: a screen refetches after an event of the following topics, at most once a second. It subscribes to the
 * topics of the parts in the reply. A subscription ends when its permission ends.
 *
 *   /projects/{id}/edges   `change` and `edge:presence`, also for trouble                    fleet, problems
 *   /projects/{id}/LTT     `task:created`, `task:fulfilled`, `task:archived`, `task:restored`  tasks, problems, activity
 *                          `task:state` only updates the progress in place, without a refetch
 *   /projects/{id}/notes, /projects/{id}/media                                              counts, activity
 *   projects               `change` of this id: people, roles, invitations; `remove`: the project is no longer visible
 *
 * The load in cells changes without an event, so a visible screen refetches every 15 s.
 */

/** A user as shown to other users: first and last name. */
const face = z.object({ _id: id, name: z.string() })
export type Face = z.infer<typeof face>

/** People of a project: its owner and the holders of its roles, the owner first. */
export const people = z.object({
  total: z.number(),
  /** The first five people. */
  first: z.array(face),
})

/** A record with its label. */
const named = z.object({ _id: id, label: z.string() })

/**
 * `danger`: an edge is offline or a task has failed. `warning`: a disk is nearly full or a program has stopped. `info`:
 * an invitation expires.
 */
const severity = z.enum(['danger', 'warning', 'info'])
export type Severity = z.infer<typeof severity>

/**
 * Values of an edge in whole percent; null if the agent does not report them. Load is the one-minute average divided by
 * the number of cores.
 */
const edgeValues = z.object({
  load: z.nullable(z.number()),
  memory: z.nullable(z.number()),
  disk: z.nullable(z.number()),
})

/**
 * Returns the schema of a project's problem with the fields of `extra`. The `id` is stable: the same problem has the
 * same id in every reply.
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
      /** Values of the last report; null if the edge never reported. */
      last: z.nullable(edgeValues),
      /** Set while the edge is connected, but does not report. Older servers omit it. */
      silence: z._default(z.nullable(z.object({ reason: z.nullable(z.string()) })), null),
    }),
    z.object({
      ...common,
      kind: z.literal('diskFull'),
      edge: named,
      /** When the server first detected the problem, but not before this version was installed. */
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
    /** A task that was rejected or timed out in the last 24 hours and is not archived. */
    z.object({
      ...common,
      kind: z.literal('taskFailed'),
      task: z.object({ _id: id, type: z.string(), title: z.string() }),
      since: instant,
      reason: z.enum(['rejected', 'timed-out']),
      /** The task's error text, if any. */
      error: z.nullable(z.string()),
      /** See `errorMessage` of a task. */
      errorMessage: z.optional(taskMessage),
      /** Null for a task of the installation or a deleted account. */
      startedBy: z.nullable(face),
      /** Whether the caller may archive the task, which ends the problem. */
      mayEnd: z.boolean(),
      /** Whether the caller may archive the task and it can be retried. */
      mayRetry: z.boolean(),
    }),
    /** An invitation that expires within 24 hours or has expired in the last seven days. */
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

/** Number of edges by state. */
export const fleetCounts = z.object({
  total: z.number(),
  online: z.number(),
  trouble: z.number(),
  offline: z.number(),
  waiting: z.number(),
  revoked: z.number(),
  /** Connected, but not reporting: a part of `offline`. Older servers omit it. */
  silent: z._default(z.number(), 0),
})
export type FleetCounts = z.infer<typeof fleetCounts>

const fleet = z.object({
  counts: fleetCounts,
  /** At most 96 edges, the worst first, then by label. Empty if `tags` is not. */
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
   * For more than 96 edges: up to twelve tags, most frequent first, then null for edges without a tag, each with its
   * edges by state. An edge counts for each of its tags. Empty for up to 96 edges, and if no edge has a tag.
   */
  tags: z.array(z.object({ tag: z.nullable(z.string()), counts: fleetCounts })),
  /** Programs that the online edges report. */
  programs: z.object({ running: z.number(), total: z.number() }),
  /** Number of Stream Decks attached to online edges. */
  decks: z.number(),
})

const tasks = z.object({
  /** The newest twenty running tasks. */
  running: z.array(task),
  runningTotal: z.number(),
  /** Tasks that failed in the last 24 hours and are not archived, newest first; at most five. */
  failed: z.array(task),
  failedTotal: z.number(),
})

/**
 * Entries of the audit log that the caller may see, without addresses and details. Entries of one user with the same
 * event within ten minutes are folded into one.
 */
export const activity = z.object({
  /** Id of the newest folded entry. */
  _id: id,
  at: instant,
  /** `room.verb`, as in the audit log. */
  event: z.string(),
  /** Null if a machine or the installation acted. The name of a deleted account is empty. */
  actor: z.nullable(face),
  target: z.nullable(
    z.object({
      /** Null for a target that is not a record, such as an invited address. */
      _id: z.nullable(id),
      /** Label of the target at that time; null if unknown. */
      label: z.nullable(z.string()),
    }),
  ),
  /** Number of folded entries with the same event, including the newest. */
  count: z.number(),
})
export type ActivityEntry = z.infer<typeof activity>

/** The caller's relation to a project. */
export const relation = {
  access: z.enum(['root', 'owner', 'organisation-owner', 'grant']),
  /** Labels of the caller's product roles, in the caller's language. */
  roles: z.array(z.string()),
} as const

const home = z.object({
  /** Time of this reply. */
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
   * Offline edges, then failed tasks, trouble and invitations, each longest first; at most 50. Edges need the role
   * `edges`. All readers of the project see tasks; only the owner and root see invitations.
   */
  problems: z.array(problem),
  problemsTotal: z.number(),
  /** While there are no problems: the end of the last known outage, trouble or failed task. Null if none is known. */
  wellSince: z.nullable(instant),
  /** For the role `edges` in a project that uses its product. */
  fleet: z.nullable(fleet),
  tasks,
  /** At most eight entries, newest first. */
  activity: z.array(activity),
  /** Pending invitations, earliest expiry first, at most five. For the owner and root. */
  invitations: z.nullable(
    z.object({
      total: z.number(),
      items: z.array(
        z.object({
          _id: id,
          email: z.string(),
          expiresAt: instant,
          isExpired: z.boolean(),
          /** Label of the invitation's role, in the caller's language. */
          role: z.nullable(z.string()),
        }),
      ),
    }),
  ),
  /** Pending requests for access, oldest first, at most five. For the owner and root. */
  accessRequests: z.nullable(
    z.object({
      total: z.number(),
      items: z.array(z.object({ ...accessRequest.shape, /** The role's label. */ role: z.string() })),
    }),
  ),
  /** Number of records of an app, capped at 10,000; null for an app that the caller may not open. */
  counts: z.object({
    edges: z.nullable(z.number()),
    media: z.nullable(z.number()),
    notes: z.nullable(z.number()),
  }),
})
export type Home = z.infer<typeof home>

export const homeEndpoints = {
  read: endpoint('GET', '/projects/:projectId/home', {
    summary: 'Returns an overview of a project; parts that the caller may not see are null.',
    reply: home,
    errors: ['UNAUTHENTICATED', 'NOT_FOUND'],
  }),
}
