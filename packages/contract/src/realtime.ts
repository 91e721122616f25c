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
  /** The server could not do what was asked. The client reconnects later. */
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

/** What a client sends. `auth` comes first, and again whenever the token was reissued. */
export const clientMessage = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('auth'), token: z.string().check(z.maxLength(200)) }),
  z.strictObject({ type: z.literal('ping') }),
])
export type ClientMessage = z.infer<typeof clientMessage>

/** What the server sends. */
export const serverMessage = z.discriminatedUnion('type', [
  /** The token was accepted. `build` lets a tab that is older than the server offer a reload. */
  z.object({ type: z.literal('ready'), build }),
  z.object({ type: z.literal('pong') }),
])
export type ServerMessage = z.infer<typeof serverMessage>
