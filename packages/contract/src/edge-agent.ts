import * as z from 'zod/mini'
import { numberBetween, wholeNumber } from './collection.ts'
import { limits } from './limits.ts'

/*
 * What an edge's agent and the server say to each other: JSON texts on a socket at `/api/edges/connect`. Programs alone
 * connect: a request with an Origin is refused. The agent begins with `hello`; all else follows `welcome`. Both sides
 * check every message against these schemas.
 */

/** Counts the versions of this protocol. A server that does not know the agent's closes with `protocol`. */
export const edgeProtocol = 1

/** The socket's path below `apiBase`. */
export const edgeSocketPath = '/edges/connect'

/** Why the server closed an agent's socket. Others are those of RFC 6455: the agent connects again. */
export const edgeCloseCodes = {
  /** The server stops. */
  goingAway: 1001,
  tooBig: 1009,
  /** The server could not do what was asked; the database is away. */
  tryAgainLater: 1013,
  badMessage: 4400,
  /** The token is not valid any more: the edge was revoked, deleted or enrolled anew. The agent gives up. */
  unauthenticated: 4401,
  /** The server speaks another version of the protocol. The agent gives up. */
  protocol: 4406,
  /** Another agent has connected with the same token. The agent gives up. */
  replaced: 4409,
  tooMany: 4429,
} as const

/** Milliseconds between two reports, and after which an edge without one counts as offline. */
export const edgeTimes = { report: 5000, offline: 15_000 } as const

const count = numberBetween(0, Number.MAX_SAFE_INTEGER)
/** No control characters, and nothing that is half a character: PostgreSQL keeps neither a NUL nor that. */
const line = (most: number) => z.string().check(z.maxLength(most), z.regex(/^[^\p{Cc}\p{Cs}]*$/u))
const space = z.strictObject({ total: count, free: count })

/** Names an instance on its edge, in the agent's settings. */
const instanceKey = z.string().check(z.regex(/^[a-z0-9][a-z0-9_.-]{0,63}$/))

export const instanceState = z.enum(['running', 'stopped', 'unknown'])

/** Pixels of a deck's keys. The most that @elgato-stream-deck knows are the 516,096 of a Studio, 2304 x 224. */
const deckPixelsMax = 600_000

/** A Stream Deck that is attached to an edge. */
export const edgeDeck = z
  .strictObject({
    serial: z.string().check(z.regex(/^[\w-]{1,64}$/)),
    model: line(100),
    firmware: line(50),
    columns: wholeNumber(1, limits.deckKeys),
    rows: wholeNumber(1, limits.deckKeys),
    /** Pixels of the whole of its keys; 0 for a deck without displays. */
    width: wholeNumber(0, 2400),
    height: wholeNumber(0, 2400),
    /** What went wrong with what it was last told to show; null when nothing did. */
    problem: z.nullable(line(200)),
  })
  .check(
    z.refine(
      ({ columns, rows }) => columns * rows <= limits.deckKeys,
      'Must not have more keys than any deck',
    ),
    z.refine(({ width, height }) => width * height <= deckPixelsMax, 'Must not be larger than any deck'),
  )
export type EdgeDeck = z.infer<typeof edgeDeck>

/** How an edge is. Sizes in bytes, times in seconds. */
export const edgeReport = z.strictObject({
  hostname: line(255),
  /** `linux x64` */
  platform: line(100),
  /** Of the operating system's scheduler: mean numbers of running programs of the last 1, 5 and 15 minutes. */
  load: z
    .array(count)
    .check(z.refine((value) => value.length === 3, 'Must be three numbers')) as unknown as z.ZodMiniType<
    [number, number, number],
    [number, number, number]
  >,
  cores: wholeNumber(1, 4096),
  memory: space,
  /** Of the file system that the agent keeps its settings on. */
  disk: z.nullable(space),
  addresses: z.array(line(64)).check(z.maxLength(32)),
  uptime: count,
  /** Since when the agent's process runs, to tell that it was restarted. */
  agentUptime: count,
  decks: z.strictObject({
    /** `missing`: the driver is not installed; `failed`: it is, and cannot be used; `ready` otherwise. */
    driver: z.enum(['ready', 'missing', 'failed']),
    reason: z.nullable(line(300)),
    devices: z.array(edgeDeck).check(z.maxLength(16)),
  }),
  instances: z
    .array(
      z.strictObject({
        key: instanceKey,
        label: line(limits.labelMax).check(z.minLength(1)),
        state: instanceState,
        /** The agent's settings say how it is restarted. */
        canRestart: z.boolean(),
      }),
    )
    .check(
      z.maxLength(limits.edgeInstancesMax),
      z.refine(
        (value) => new Set(value.map(({ key }) => key)).size === value.length,
        'Must have keys of their own',
      ),
    ),
})
export type EdgeReport = z.infer<typeof edgeReport>

const commandId = z.guid()

/** What an agent says. */
export const agentMessage = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('hello'),
    protocol: wholeNumber(0, Number.MAX_SAFE_INTEGER),
    token: z.string().check(z.maxLength(200)),
    /** Of the agent. */
    version: line(50),
    /** Another one each time that the agent's process starts. */
    run: z.guid(),
  }),
  z.strictObject({ type: z.literal('report'), report: edgeReport }),
  /** What a command says while it is done, and at its end how it went. */
  z.strictObject({
    type: z.literal('answer'),
    command: commandId,
    lines: z.array(line(500)).check(z.maxLength(20)),
    outcome: z.optional(
      z.discriminatedUnion('ok', [
        z.strictObject({ ok: z.literal(true), info: line(500) }),
        z.strictObject({ ok: z.literal(false), error: line(500) }),
      ]),
    ),
  }),
])
export type AgentMessage = z.infer<typeof agentMessage>

/** All that an agent can be told to do. There is no command that runs a text. */
export const edgeCommand = z.discriminatedUnion('name', [
  /** It ends and starts again; its next `hello` shows another `run`. */
  z.strictObject({ name: z.literal('restart') }),
  z.strictObject({ name: z.literal('restart-instance'), key: instanceKey }),
  z.strictObject({ name: z.literal('diagnostics') }),
])
export type EdgeCommand = z.infer<typeof edgeCommand>

/** What the server says. */
export const edgeServerMessage = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('welcome'),
    label: z.string(),
    /** Milliseconds between two reports. */
    reportEvery: wholeNumber(1000, 60_000),
  }),
  z.strictObject({ type: z.literal('command'), id: commandId, command: edgeCommand }),
  /** What a Stream Deck shows from now on. */
  z.strictObject({
    type: z.literal('deck'),
    serial: z.string(),
    /** 0 to 1. */
    brightness: numberBetween(0, 1),
    /** Of the size that the deck reported, row by row, 3 bytes (RGB) a pixel in base64; null clears it. */
    picture: z.nullable(
      z.strictObject({
        width: wholeNumber(0, Number.MAX_SAFE_INTEGER),
        height: wholeNumber(0, Number.MAX_SAFE_INTEGER),
        rgb: z.string(),
      }),
    ),
  }),
])
export type EdgeServerMessage = z.infer<typeof edgeServerMessage>
