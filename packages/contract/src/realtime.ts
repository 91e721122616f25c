import * as z from 'zod/mini'
import { build } from './system.ts'

/** The socket's path below `apiBase`. */
export const socketPath = '/ws'

/** Codes with which the server closes a socket. RFC 6455 7.4.2 reserves 4000 to 4999 for applications. */
export const socketCloseCodes = {
  /** The server stops, or has missed events. The client reconnects and refetches. */
  goingAway: 1001,
  /** Binary frame. Messages are JSON texts. */
  binary: 1003,
  /** Message larger than `limits.socketMessageBytes`. */
  tooBig: 1009,
  /** The server cannot process the request. The client reconnects later. */
  fault: 1011,
  /** The client reads too slowly, or the database is unavailable. The client reconnects later. */
  tryAgainLater: 1013,
  /** Neither JSON nor one of the messages below: a fault of the client. */
  badMessage: 4400,
  /** No valid `auth` message in time, or the session has ended. The client signs out or requests a new token. */
  unauthenticated: 4401,
  /** Too many messages, or too many sockets of one user. The client reconnects later. */
  tooMany: 4429,
} as const

/*
 * Topics and the events that their subscribers receive. The server refuses a topic that the caller may not read like
 * one that does not exist.
 *
 *   projects                 changes of the projects that the caller may see
 *   organisations            changes of the organisations that the caller belongs to
 *   me                       changes of the caller's account: credentials, addresses, passkeys, sessions
 *   settings                 changes of the caller's settings
 *   /projects/{id}/notes     changes of a project's notes
 *   /projects/{id}/LTT       the project's long-running tasks: see tasks.ts
 *   /projects/{id}/media     changes of a project's media
 *   /projects/{id}/edges     changes of a project's edges, and `edge:presence`
 *   /projects/{id}/edge-jobs   `edge:jobs` {jobs: id[]}: jobs for edges that have changed
 *   /projects/{id}/apps/{appId}/store   changes of the values that an app stores in a project
 *   extensions               `extension:changed` {id, version}: the running version changed (null: disabled)
 */
const topic = z.string().check(z.minLength(1), z.maxLength(200), z.regex(/^[\w/-]+$/))

/**
 * Messages of a client. `auth` comes first, and again after each reissue of the token. A subscription belongs to the
 * socket: after a reconnect the client subscribes again and refetches the topic's data.
 */
export const clientMessage = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('auth'), token: z.string().check(z.maxLength(200)) }),
  z.strictObject({ type: z.literal('ping') }),
  z.strictObject({ type: z.literal('subscribe'), topic }),
  z.strictObject({ type: z.literal('unsubscribe'), topic }),
])
export type ClientMessage = z.infer<typeof clientMessage>

/** A record was created or changed (`upsert`), or was deleted or is no longer visible (`remove`). */
export const collectionChange = z.object({
  collection: z.enum([
    'projects',
    'organisations',
    'members',
    'notes',
    'credentials',
    'account',
    'store',
    'media',
    'edges',
    'edge-schedules',
    'settings',
    'task-tokens',
  ]),
  op: z.enum(['upsert', 'remove']),
  /**
   * The `_id` or key of the record; omitted if all records of the topic were deleted. The event has no content: clients
   * that show the record refetch it.
   */
  id: z.optional(z.string()),
  /** Revision after the change. A client that already has it need not refetch. */
  revision: z.optional(z.number()),
})
export type CollectionChange = z.infer<typeof collectionChange>

/** Messages of the server. */
export const serverMessage = z.discriminatedUnion('type', [
  /** The token was accepted. `build` lets a tab with an older build offer a reload. */
  z.object({ type: z.literal('ready'), build }),
  z.object({ type: z.literal('pong') }),
  /**
   * From now on the client receives every event of the topic, numbered from 1. The server sends this message again
   * after it has missed events of the topic: the client refetches the topic's data, unless it was read at the position
   * `at` or later: see `isReadSince`.
   */
  z.object({ type: z.literal('subscribed'), topic, at: z.optional(z.string()) }),
  /** The topic does not exist, or the caller may not read it. */
  z.object({ type: z.literal('refused'), topic }),
  /** The caller may no longer read the topic. The subscription has ended. */
  z.object({ type: z.literal('ended'), topic }),
  z.object({
    type: z.literal('event'),
    topic,
    /** Sequence number: 1, 2, 3 …. After a gap the client refetches. */
    seq: z.number(),
    /** Id of the event, the same on every node. */
    id: z.number(),
    /** `change` with a collection change, or an event of the topic, such as `task:created`. */
    name: z.string(),
    data: z.unknown(),
  }),
])
export type ServerMessage = z.infer<typeof serverMessage>
