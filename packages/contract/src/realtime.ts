import * as z from 'zod/mini'
import { build } from './system.ts'

/** The socket's path below `apiBase`. */
export const socketPath = '/ws'

/** Why the server closed a socket (RFC 6455 7.4.2 leaves 4000..4999 to applications). */
export const socketCloseCodes = {
  /** The server stops, or events were missed. The client reconnects and reads again. */
  goingAway: 1001,
  /** A binary frame: messages are JSON texts. */
  binary: 1003,
  /** A message over `limits.socketMessageBytes`. */
  tooBig: 1009,
  /** The server cannot process the request. The client reconnects later. */
  fault: 1011,
  /** The client reads too slowly, or the database is away. The client reconnects later. */
  tryAgainLater: 1013,
  /** Not JSON, or none of the messages below: a fault of the client. */
  badMessage: 4400,
  /** No valid `auth` message came in time, or the session has ended. The client signs out or asks for a new token. */
  unauthenticated: 4401,
  /** Too many messages, or too many sockets of one person. The client reconnects later. */
  tooMany: 4429,
} as const

/*
 * Topics, and what a subscriber of each is told. A topic that the caller may not read is refused like one that does not
 * exist.
 *
 *   projects                 changes of the projects that the caller may see
 *   organisations            changes of the organisations that the caller belongs to
 *   me                       changes of the caller's own account: credentials, addresses, passkeys, sessions
 *   settings                 changes of the caller's own settings
 *   /projects/{id}/notes     changes of a project's notes
 *   /projects/{id}/LTT       the project's long-running tasks: see tasks.ts
 *   /projects/{id}/media     changes of a project's media
 *   /projects/{id}/edges     changes of a project's edges, and `edge:presence`
 *   /projects/{id}/edge-jobs   `edge:jobs` {jobs: id[]}: jobs for edges that have changed
 *   /projects/{id}/apps/{appId}/store   changes of what an app keeps in a project
 *   extensions               `extension:changed` {id, version}: what runs is another now (version null: nothing)
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

/** A record was made or changed (`upsert`), or is gone or no longer visible (`remove`). */
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
   * The `_id` of the record, or its key; omitted when all records of the topic are gone. The change carries no
   * content: clients that show the record refetch it.
   */
  id: z.optional(z.string()),
  /** After the change; a reader that has it already need not read again. */
  revision: z.optional(z.number()),
})
export type CollectionChange = z.infer<typeof collectionChange>

/** Messages of the server. */
export const serverMessage = z.discriminatedUnion('type', [
  /** The token was accepted. `build` lets a tab with an older build offer a reload. */
  z.object({ type: z.literal('ready'), build }),
  z.object({ type: z.literal('pong') }),
  /**
   * From here on the client receives every event of the topic, numbered from 1. Sent again after the server has
   * missed events of this topic: the client refetches the topic's data.
   */
  z.object({ type: z.literal('subscribed'), topic }),
  /** The topic is not there for the caller. */
  z.object({ type: z.literal('refused'), topic }),
  /** The right to read the topic was lost: nothing more comes. */
  z.object({ type: z.literal('ended'), topic }),
  z.object({
    type: z.literal('event'),
    topic,
    /** 1, 2, 3 …: a number that is left out means that an event is missing, and that the client reads again. */
    seq: z.number(),
    /** The event's id, the same on every node. */
    id: z.number(),
    /** `change` with a collection change, or an event of the topic, such as `task:created`. */
    name: z.string(),
    data: z.unknown(),
  }),
])
export type ServerMessage = z.infer<typeof serverMessage>
