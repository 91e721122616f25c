import * as z from 'zod/mini'
import { numberBetween, wholeNumber } from './collection.ts'
import { edgeArguments, edgeCommandKey, edgeDeclarations } from './edge-commands.ts'
import { edgeProgram } from './edge-programs.ts'
import { limits } from './limits.ts'

/*
 * The protocol between an edge's agent and the server: JSON texts on a socket at `/api/edges/connect`. Requests with
 * an Origin are refused, so only programs connect. The agent sends `hello` first; all other messages follow
 * `welcome`. Both sides validate every message against these schemas and drop the fields that they do not know
 * (decision record 145).
 */

/**
 * The versions of this protocol that both sides speak: the present one and the one before. A connection uses the newest
 * that both know. Without a common one the server closes with `protocol`.
 *
 * 1: all messages are exact. An agent of it rejects a message with an unknown field.
 * 2: `hello` has the range of the agent, `welcome` the version in use, and unknown fields are dropped.
 */
export const edgeProtocols = { min: 1, max: 2 } as const

/** The newest protocol of an agent's range that this build speaks as well. */
export function commonEdgeProtocol({ min, max }: { min: number; max: number }): number | undefined {
  const newest = Math.min(max, edgeProtocols.max)
  return newest >= Math.max(min, edgeProtocols.min) ? newest : undefined
}

/** The socket's path below `apiBase`. */
export const edgeSocketPath = '/edges/connect'

/** Reasons why the server closes an agent's socket. After any other code (RFC 6455) the agent reconnects. */
export const edgeCloseCodes = {
  /** The server stops. */
  goingAway: 1001,
  tooBig: 1009,
  /** The server cannot process the message, because its database is unavailable. */
  tryAgainLater: 1013,
  badMessage: 4400,
  /** The token is no longer valid: the edge was revoked, deleted or enrolled again. The agent exits. */
  unauthenticated: 4401,
  /** The server speaks none of the agent's protocols. The agent replaces itself by the server's, or exits. */
  protocol: 4406,
  /** Another agent has connected with the same token. This agent exits. */
  replaced: 4409,
  /** The machine waits for a decision of a user. The agent tries again later. */
  waiting: 4425,
  tooMany: 4429,
} as const

/**
 * Milliseconds between two reports, after which an edge without one counts as offline, and for how long an agent keeps
 * samples that no server has.
 */
export const edgeTimes = { report: 5000, offline: 15_000, kept: 900_000 } as const

const count = numberBetween(0, Number.MAX_SAFE_INTEGER)
/** No control characters and no unpaired surrogates: PostgreSQL cannot store NUL or unpaired surrogates. */
const line = (most: number) => z.string().check(z.maxLength(most), z.regex(/^[^\p{Cc}\p{Cs}]*$/u))
const space = z.object({ total: count, free: count })

/** Names an instance on its edge, in the agent's settings. */
const instanceKey = z.string().check(z.regex(/^[a-z0-9][a-z0-9_.-]{0,63}$/))

/** Names a value over time on its edge. */
export const edgeValueKey = z.string().check(z.regex(/^[a-z0-9][a-z0-9_.-]{0,63}$/))

const sampleValue = numberBetween(-1e15, 1e15)

export const instanceState = z.enum(['running', 'stopped', 'unknown'])

/** Pixels of a deck's keys. The most that @elgato-stream-deck knows are the 516,096 of a Studio, 2304 x 224. */
const deckPixelsMax = 600_000

const edgeDeckSerial = z.string().check(z.regex(/^[\w-]{1,64}$/))

/** A Stream Deck that is attached to an edge. */
export const edgeDeck = z
  .object({
    serial: edgeDeckSerial,
    model: line(100),
    firmware: line(50),
    columns: wholeNumber(1, limits.deckKeys),
    rows: wholeNumber(1, limits.deckKeys),
    /** Pixels of the whole of its keys; 0 for a deck without displays. */
    width: wholeNumber(0, 2400),
    height: wholeNumber(0, 2400),
    /** Error of the last display command; null after success. */
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

const edgeVersion = z.string().check(z.regex(/^\d{1,6}\.\d{1,6}\.\d{1,6}$/))

/** The machine that an agent runs on. Copies of one disk have the same token, but not the same hardware. */
export const edgeMachine = z.object({
  /** Hashes of the serial numbers and network addresses of its hardware. Empty where the agent finds none. */
  ids: z.array(z.string().check(z.regex(/^[0-9a-f]{32}$/))).check(z.maxLength(32)),
  hostname: line(255),
  /** `linux x64` */
  platform: line(100),
  /** Of the machine or its board. */
  model: z.nullable(line(200)),
  serial: z.nullable(line(200)),
  addresses: z.array(line(64)).check(z.maxLength(32)),
})
export type EdgeMachine = z.infer<typeof edgeMachine>

/** How an edge is. Sizes in bytes, times in seconds. */
export const edgeReport = z.object({
  hostname: line(255),
  /** `linux x64` */
  platform: line(100),
  /** Load averages of the operating system over the last 1, 5 and 15 minutes. */
  load: z
    .array(count)
    .check(z.refine((value) => value.length === 3, 'Must be three numbers')) as unknown as z.ZodMiniType<
    [number, number, number],
    [number, number, number]
  >,
  cores: wholeNumber(1, 4096),
  memory: space,
  /** Space of the file system that contains the agent's settings. */
  disk: z.nullable(space),
  addresses: z.array(line(64)).check(z.maxLength(32)),
  uptime: count,
  /** Start time of the agent's process, to detect restarts. */
  agentUptime: count,
  decks: z.object({
    /** `missing`: the driver is not installed; `failed`: it is, and cannot be used; `ready` otherwise. */
    driver: z.enum(['ready', 'missing', 'failed']),
    reason: z.nullable(line(300)),
    devices: z.array(edgeDeck).check(z.maxLength(16)),
  }),
  instances: z
    .array(
      z.object({
        key: instanceKey,
        label: line(limits.labelMax).check(z.minLength(1)),
        state: instanceState,
        /** Whether the agent's settings define how to restart it. */
        canRestart: z.boolean(),
        /** Absent for one whose process the agent does not know, and for protocol 1. */
        program: z.optional(edgeProgram),
      }),
    )
    .check(
      z.maxLength(limits.edgeInstancesMax),
      z.refine(
        (value) => new Set(value.map(({ key }) => key)).size === value.length,
        'Must have keys of their own',
      ),
    ),
  /** How the agent updates itself. Absent for one that cannot, and for protocol 1. */
  update: z.optional(
    z.object({
      /** It has pinned the key of releases. */
      isReady: z.boolean(),
      /** The last version that it went back from; null after an update that succeeded. */
      failed: z.nullable(z.object({ version: edgeVersion, reason: line(300), at: line(40) })),
    }),
  ),
  /**
   * The commands that the agent's settings declare. Absent for an agent that does not remember the commands of jobs,
   * and for protocol 1.
   */
  commands: z.optional(edgeDeclarations),
  /** The last values that programs on the edge have reported to the agent. */
  values: z.optional(
    z
      .array(z.object({ key: edgeValueKey, value: sampleValue, unit: line(16) }))
      .check(z.maxLength(limits.edgeValuesMax)),
  ),
})
export type EdgeReport = z.infer<typeof edgeReport>

/** Samples of one message. */
export const edgeSamplesAtOnce = 60

/** The values of one moment by key: those of the machine and those of its programs. */
const edgeSample = z.object({
  at: wholeNumber(0, Number.MAX_SAFE_INTEGER),
  values: z
    .record(edgeValueKey, sampleValue)
    .check(
      z.refine(
        (values) => Object.keys(values).length <= limits.edgeSeriesMax,
        `Must not have more than ${limits.edgeSeriesMax} values`,
      ),
    ),
})
export type EdgeSample = z.infer<typeof edgeSample>

const commandId = z.guid()
const lineNumber = wholeNumber(0, Number.MAX_SAFE_INTEGER)

/** Characters of a line of a log, and lines and bytes (as JSON) of one answer. */
export const edgeLog = { lineMax: 2100, linesMax: 1000, bytesMax: 48_000 } as const

/** Messages of the agent. */
export const agentMessage = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('hello'),
    /** The only version that the agent speaks, or the newest of `protocols`. */
    protocol: wholeNumber(0, Number.MAX_SAFE_INTEGER),
    /** From protocol 2 on. */
    protocols: z.optional(
      z.object({
        min: wholeNumber(0, Number.MAX_SAFE_INTEGER),
        max: wholeNumber(0, Number.MAX_SAFE_INTEGER),
      }),
    ),
    token: z.string().check(z.maxLength(200)),
    /** Version of the agent. */
    version: line(50),
    /** Another one each time that the agent's process starts. */
    run: z.guid(),
    /** From protocol 2 on. */
    machine: z.optional(edgeMachine),
  }),
  z.object({
    type: z.literal('report'),
    report: edgeReport,
    /** When it was sent, by the agent's clock in epoch milliseconds. The clock never goes back while the agent runs. */
    at: z.optional(wholeNumber(0, Number.MAX_SAFE_INTEGER)),
    /**
     * Values at earlier times of that clock, oldest first, from protocol 2 on. The agent keeps them for
     * `edgeTimes.kept` and sends them again on the next connection until the server says `kept`.
     */
    samples: z.optional(z.array(edgeSample).check(z.maxLength(edgeSamplesAtOnce))),
  }),
  /** Output of a running command, and its result at the end. */
  z.object({
    type: z.literal('answer'),
    command: commandId,
    lines: z.array(line(500)).check(z.maxLength(20)),
    outcome: z.optional(
      z.discriminatedUnion('ok', [
        z.object({ ok: z.literal(true), info: line(500) }),
        z.object({ ok: z.literal(false), error: line(500) }),
      ]),
    ),
  }),
  /** Lines of a program's log, only as the answer to `log` of the server. */
  z.object({
    type: z.literal('log'),
    id: commandId,
    /** Number of the first line. Without lines that of the next one that the program writes. */
    first: lineNumber,
    lines: z.array(line(edgeLog.lineMax)).check(z.maxLength(edgeLog.linesMax)),
    /** Number of the first line that the agent still has. */
    oldest: lineNumber,
  }),
  /**
   * A key of an attached deck was pressed, after the server has sent `desk` for this deck on this connection. The
   * server answers with `pressed` and the same id.
   */
  z.object({
    type: z.literal('press'),
    id: z.guid(),
    serial: edgeDeckSerial,
    page: wholeNumber(0, limits.edgeDeckPagesMax - 1),
    key: wholeNumber(0, limits.deckKeys - 1),
    isHeld: z.boolean(),
  }),
])
export type AgentMessage = z.infer<typeof agentMessage>

/** All commands of an agent. None of them executes free text. */
const edgeCommand = z.discriminatedUnion('name', [
  /** It ends and starts again; its next `hello` shows another `run`. */
  z.object({ name: z.literal('restart') }),
  z.object({ name: z.literal('restart-instance'), key: instanceKey }),
  /** Only for instances that report a `program`. */
  z.object({ name: z.literal('start-instance'), key: instanceKey }),
  z.object({ name: z.literal('stop-instance'), key: instanceKey }),
  z.object({ name: z.literal('diagnostics') }),
  /** It verifies the agent that its server serves, and starts it if it is newer. */
  z.object({ name: z.literal('update') }),
  /** It starts the program that its settings declare for this key, with these values. */
  z.object({ name: z.literal('run'), key: edgeCommandKey, values: edgeArguments }),
])
export type EdgeCommand = z.infer<typeof edgeCommand>

/** Row by row, 3 bytes (RGB) a pixel, in base64. */
const deckPixels = z.object({
  width: wholeNumber(0, Number.MAX_SAFE_INTEGER),
  height: wholeNumber(0, Number.MAX_SAFE_INTEGER),
  rgb: z.string(),
})

/** What a key does: the agent asks the server, or shows another page by itself. */
const deckMove = z.union([z.literal('ask'), z.object({ page: wholeNumber(0, limits.edgeDeckPagesMax - 1) })])

/** Messages of the server. */
export const edgeServerMessage = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('welcome'),
    label: z.string(),
    /** Milliseconds between two reports. */
    reportEvery: wholeNumber(1000, 60_000),
    /** In use on this connection. Absent for protocol 1. */
    protocol: z.optional(wholeNumber(0, Number.MAX_SAFE_INTEGER)),
  }),
  z.object({
    type: z.literal('command'),
    id: commandId,
    command: edgeCommand,
    /**
     * The server repeats this command with the same id until it has an outcome. The agent executes it once and answers
     * each repeat with all of its lines and its first outcome. A restart has its outcome when the agent is back.
     */
    isRepeated: z.optional(z.boolean()),
  }),
  /**
   * Asks for lines of the log of an instance that reports a `program`: those with a number between `after` and `before`.
   * When they do not fit into one answer it has the newest, or with `isForward` the oldest. The agent sends no line of
   * a log unasked.
   */
  z.object({
    type: z.literal('log'),
    id: commandId,
    key: instanceKey,
    after: lineNumber,
    before: z.optional(lineNumber),
    isForward: z.optional(z.boolean()),
  }),
  /** The database has all samples that this agent has taken up to then, by the agent's clock. */
  z.object({ type: z.literal('kept'), until: wholeNumber(0, Number.MAX_SAFE_INTEGER) }),
  /** The desired display of a Stream Deck. */
  z.object({
    type: z.literal('deck'),
    serial: z.string(),
    /** 0 to 1. */
    brightness: numberBetween(0, 1),
    /** A picture of the size that the deck reported. Null clears the deck. */
    picture: z.nullable(deckPixels),
  }),
  /** One page of the keys of a deck. An agent without keys ignores it. */
  z.object({
    type: z.literal('desk'),
    serial: z.string(),
    page: wholeNumber(0, limits.edgeDeckPagesMax - 1),
    /** Pages of this deck. Others that the agent knows end. */
    pages: wholeNumber(1, limits.edgeDeckPagesMax),
    /** Of the size that the deck reported. Null for the picture of `deck`. */
    picture: z.nullable(deckPixels),
    keys: z.array(
      z.object({
        key: wholeNumber(0, limits.deckKeys - 1),
        /** Null does nothing. */
        press: z.nullable(deckMove),
        hold: z.nullable(deckMove),
      }),
    ),
  }),
  /** The outcome of a press. */
  z.object({ type: z.literal('pressed'), id: z.guid(), isDone: z.boolean() }),
])
export type EdgeServerMessage = z.infer<typeof edgeServerMessage>
