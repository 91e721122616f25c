import * as z from 'zod/mini'
import { numberBetween, wholeNumber } from './collection.ts'
import { deckSerial } from './deck-serial.ts'
import { edgeArguments, edgeCommandKey, edgeDeclarations } from './edge-commands.ts'
import { edgeProgram } from './edge-programs.ts'
import { limits } from './limits.ts'
import { machineText } from './text.ts'

/*
 * The protocol between an edge's agent and the server: JSON texts on a socket at `/api/edges/connect`. The server
 * rejects requests with an Origin, so that only programs connect. The agent sends `hello` first; all other messages
 * follow `welcome`. Both sides validate every message against these schemas and drop unknown fields (decision record
 * 145).
 */

/**
 * Versions of this protocol that this build supports: the current and the previous one. A connection uses the newest
 * common version. Without a common version the server closes the socket with `protocol`.
 *
 * 1: an agent rejects messages with unknown fields.
 * 2: `hello` contains the agent's range, `welcome` the version in use, and unknown fields are dropped.
 */
export const edgeProtocols = { min: 1, max: 2 } as const

/** Returns the newest protocol of an agent's range that this build supports; undefined without one. */
export function commonEdgeProtocol({ min, max }: { min: number; max: number }): number | undefined {
  const newest = Math.min(max, edgeProtocols.max)
  return newest >= Math.max(min, edgeProtocols.min) ? newest : undefined
}

/** The socket's path below `apiBase`. */
export const edgeSocketPath = '/edges/connect'

/** Codes with which the server closes an agent's socket. After any other code (RFC 6455) the agent reconnects. */
export const edgeCloseCodes = {
  /** The server stops. */
  goingAway: 1001,
  tooBig: 1009,
  /** The server cannot process the message, because its database is unavailable, or waited in vain for the greeting. */
  tryAgainLater: 1013,
  badMessage: 4400,
  /** The token is not valid: the edge was revoked, deleted or enrolled again. The agent retries after long pauses. */
  unauthenticated: 4401,
  /** No common protocol. The agent replaces itself with the server's version, or retries after long pauses. */
  protocol: 4406,
  /** Another agent has connected with the same token. This agent retries after long pauses. */
  replaced: 4409,
  /** The machine waits for a user's decision. The agent retries later. */
  waiting: 4425,
  tooMany: 4429,
} as const

/**
 * Milliseconds. `report`: the time between two reports. `offline`: the time without a report after which an edge
 * counts as offline. `kept`: the time for which an agent stores unconfirmed samples.
 */
export const edgeTimes = { report: 5000, offline: 15_000, kept: 900_000 } as const

const count = numberBetween(0, Number.MAX_SAFE_INTEGER)
const space = z.object({ total: count, free: count })

/** Key of an instance in the agent's settings, unique on its edge. */
const instanceKey = z.string().check(z.regex(/^[a-z0-9][a-z0-9_.-]{0,63}$/))

/** Key of a value series, unique on its edge. */
export const edgeValueKey = z.string().check(z.regex(/^[a-z0-9][a-z0-9_.-]{0,63}$/))

const sampleValue = numberBetween(-1e15, 1e15)

export const instanceState = z.enum(['running', 'stopped', 'unknown'])

/** Limit of a deck's pixels. The largest deck that @elgato-stream-deck supports has 516,096: a Studio, 2304 x 224. */
const deckPixelsMax = 600_000

/** A Stream Deck that is attached to an edge. */
export const edgeDeck = z
  .object({
    serial: deckSerial,
    model: machineText(100),
    firmware: machineText(50),
    columns: wholeNumber(1, limits.deckKeys),
    rows: wholeNumber(1, limits.deckKeys),
    /** Pixels of all keys together; 0 for a deck without displays. */
    width: wholeNumber(0, 2400),
    height: wholeNumber(0, 2400),
    /** Error of the last display command; null after success. */
    problem: z.nullable(machineText(200)),
  })
  .check(
    z.refine(
      ({ columns, rows }) => columns * rows <= limits.deckKeys,
      'Must not have more keys than the largest deck',
    ),
    z.refine(
      ({ width, height }) => width * height <= deckPixelsMax,
      'Must not be larger than the largest deck',
    ),
  )
export type EdgeDeck = z.infer<typeof edgeDeck>

/** Maximum number of decks in a report. */
export const edgeDecksMax = 16

/** Reasons for which an agent does not drive an attached deck. */
const edgeDeckFaults = [
  /** It reports no usable serial number, so it has no settings. */
  'no-serial',
  /** Another attached deck reports the same serial number. */
  'same-serial',
  /** The operating system does not allow the agent to open it. */
  'denied',
  /** It cannot be opened, perhaps because another program uses it. */
  'busy',
  /** It does not respond in time. */
  'silent',
  'unknown-model',
  /** The edge has more than `edgeDecksMax` decks. */
  'too-many',
  /** Any other reason, and reasons that a newer agent reports. */
  'broken',
] as const
export type EdgeDeckFault = (typeof edgeDeckFaults)[number]

const knownFault = z
  .string()
  .check(
    z.overwrite((code) => (edgeDeckFaults.some((known) => known === code) ? code : 'broken')),
  ) as z.ZodMiniType<EdgeDeckFault>

const faultyDeck = z.object({
  /** Place of the device at the machine, which distinguishes decks without a serial number. */
  path: machineText(200),
  /** Empty if it is unknown. */
  model: machineText(100),
  fault: knownFault,
  /** The reported serial number, or the error of the operating system; null without one. */
  detail: z.nullable(machineText(200)),
})
export type FaultyDeck = z.infer<typeof faultyDeck>

const edgeVersion = z.string().check(z.regex(/^\d{1,6}\.\d{1,6}\.\d{1,6}$/))

/** Hardware of an agent's machine. Copies of a disk share a token, but not the hardware. */
export const edgeMachine = z.object({
  /** Hashes of the hardware's serial numbers and network addresses. Empty if the agent finds none. */
  ids: z.array(z.string().check(z.regex(/^[0-9a-f]{32}$/))).check(z.maxLength(32)),
  /** Those of `ids` that are addresses of network cards. Absent from agents of earlier releases. */
  cards: z.optional(z.array(z.string().check(z.regex(/^[0-9a-f]{32}$/))).check(z.maxLength(32))),
  hostname: machineText(255),
  /** `linux x64` */
  platform: machineText(100),
  /** Model of the machine or its board. */
  model: z.nullable(machineText(200)),
  serial: z.nullable(machineText(200)),
  addresses: z.array(machineText(64)).check(z.maxLength(32)),
})
export type EdgeMachine = z.infer<typeof edgeMachine>

/** Limit of the reason why a part of a report is missing. */
const reasonMax = 300
/** Maximum number of missing parts that a report names. */
export const reportPartsMax = 40

/** State of an edge. Sizes are in bytes, times in seconds. */
export const edgeReport = z.object({
  hostname: machineText(255),
  /** `linux x64` */
  platform: machineText(100),
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
  addresses: z.array(machineText(64)).check(z.maxLength(32)),
  uptime: count,
  /** Uptime of the agent's process, to detect restarts. */
  agentUptime: count,
  decks: z.object({
    /** `missing`: the driver is not installed; `failed`: it is installed but does not work; `ready` otherwise. */
    driver: z.enum(['ready', 'missing', 'failed']),
    reason: z.nullable(machineText(300)),
    devices: z.array(edgeDeck).check(
      z.maxLength(edgeDecksMax),
      z.refine(
        (value) => new Set(value.map(({ serial }) => serial)).size === value.length,
        'Must not repeat a serial number',
      ),
    ),
    /** Attached decks that the agent does not drive. Agents of earlier releases report none. */
    faulty: z.optional(z.array(faultyDeck).check(z.maxLength(edgeDecksMax))),
  }),
  instances: z
    .array(
      z.object({
        key: instanceKey,
        label: machineText(limits.labelMax, { min: 1 }),
        state: instanceState,
        /** Whether the agent's settings define how to restart it. */
        canRestart: z.boolean(),
        /** Absent if the agent does not know the process, and for protocol 1. */
        program: z.optional(edgeProgram),
      }),
    )
    .check(
      z.maxLength(limits.edgeInstancesMax),
      z.refine(
        (value) => new Set(value.map(({ key }) => key)).size === value.length,
        'Must not repeat a key',
      ),
    ),
  /** Self-update of the agent. Absent for an agent that cannot update itself, and for protocol 1. */
  update: z.optional(
    z.object({
      /** Whether the agent has pinned the key of releases. */
      isReady: z.boolean(),
      /** The last version that the agent rolled back; null after a successful update. */
      failed: z.nullable(z.object({ version: edgeVersion, reason: machineText(300), at: machineText(40) })),
    }),
  ),
  /**
   * The commands that the agent's settings declare. Absent for an agent that does not store the commands of jobs, and
   * for protocol 1.
   */
  commands: z.optional(edgeDeclarations),
  /** The last values that programs on the edge have reported to the agent. */
  values: z.optional(
    z
      .array(z.object({ key: edgeValueKey, value: sampleValue, unit: machineText(16) }))
      .check(z.maxLength(limits.edgeValuesMax)),
  ),
  /**
   * Why the named parts of this report are unknown, such as `{"addresses": "…"}`. The part itself then has a neutral
   * value (0, an empty text or an empty list), so that earlier servers and pages accept the report.
   */
  missing: z.optional(
    z
      .record(z.string().check(z.regex(/^[a-z][A-Za-z]{0,39}$/)), machineText(reasonMax))
      .check(
        z.refine(
          (value) => Object.keys(value).length <= reportPartsMax,
          `Must have at most ${reportPartsMax} parts`,
        ),
      ),
  ),
})
export type EdgeReport = z.infer<typeof edgeReport>

/** Maximum number of samples in one message. */
export const edgeSamplesAtOnce = 60

/** Values of the machine and its programs at one instant, by key. */
export const edgeSample = z.object({
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

/** Maximum characters of a log line, and maximum lines and bytes (as JSON) of one answer. */
export const edgeLog = { lineMax: 2100, linesMax: 1000, bytesMax: 48_000 } as const

/** Messages of the agent. */
export const agentMessage = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('hello'),
    /** The agent's only version, or the newest of `protocols`. */
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
    version: machineText(50),
    /** New for each start of the agent's process. */
    run: z.guid(),
    /** From protocol 2 on. */
    machine: z.optional(edgeMachine),
    /** The last `enrolment` of a `welcome`. A server that was restored from an older backup recognises its edges by it. */
    enrolment: z.optional(z.string().check(z.maxLength(300))),
  }),
  z.object({
    type: z.literal('report'),
    report: edgeReport,
    /** Time of sending by the agent's clock, in epoch milliseconds. The clock never runs backwards within one run. */
    at: z.optional(wholeNumber(0, Number.MAX_SAFE_INTEGER)),
    /**
     * Values at earlier times of that clock, oldest first, from protocol 2 on. The agent stores samples for
     * `edgeTimes.kept` and sends them again on the next connection until the server confirms them with `kept`.
     */
    samples: z.optional(z.array(edgeSample).check(z.maxLength(edgeSamplesAtOnce))),
  }),
  /** Output of a running command, and its result at the end. */
  z.object({
    type: z.literal('answer'),
    command: commandId,
    lines: z.array(machineText(500)).check(z.maxLength(20)),
    outcome: z.optional(
      z.discriminatedUnion('ok', [
        z.object({ ok: z.literal(true), info: machineText(500) }),
        z.object({ ok: z.literal(false), error: machineText(500) }),
      ]),
    ),
  }),
  /** Lines of a program's log, sent only in response to `log` of the server. */
  z.object({
    type: z.literal('log'),
    id: commandId,
    /** Number of the first line; without lines, the number of the next line that the program will write. */
    first: lineNumber,
    lines: z.array(machineText(edgeLog.lineMax)).check(z.maxLength(edgeLog.linesMax)),
    /** Number of the oldest stored line. */
    oldest: lineNumber,
  }),
  /**
   * A key of an attached deck was pressed, after the server has sent `desk` for this deck on this connection. The
   * server answers with `pressed` and the same id.
   */
  z.object({
    type: z.literal('press'),
    id: z.guid(),
    serial: deckSerial,
    page: wholeNumber(0, limits.edgeDeckPagesMax - 1),
    key: wholeNumber(0, limits.deckKeys - 1),
    isHeld: z.boolean(),
  }),
])
export type AgentMessage = z.infer<typeof agentMessage>

/** All commands of an agent. None of them executes free text. */
const edgeCommand = z.discriminatedUnion('name', [
  /** Restarts the agent. Its next `hello` has another `run`. */
  z.object({ name: z.literal('restart') }),
  z.object({ name: z.literal('restart-instance'), key: instanceKey }),
  /** Start and stop apply only to instances that report a `program`. */
  z.object({ name: z.literal('start-instance'), key: instanceKey }),
  z.object({ name: z.literal('stop-instance'), key: instanceKey }),
  z.object({ name: z.literal('diagnostics') }),
  /** Verifies the server's version of the agent, and switches to it if it is newer. */
  z.object({ name: z.literal('update') }),
  /** Starts the program that the agent's settings declare for this key, with these values. */
  z.object({ name: z.literal('run'), key: edgeCommandKey, values: edgeArguments }),
])
export type EdgeCommand = z.infer<typeof edgeCommand>

/** Pixels row by row, 3 bytes (RGB) per pixel, in base64. */
const deckPixels = z.object({
  width: wholeNumber(0, Number.MAX_SAFE_INTEGER),
  height: wholeNumber(0, Number.MAX_SAFE_INTEGER),
  rgb: z.string(),
})

/** Effect of a key: `ask` sends `press` to the server, `page` makes the agent show another page. */
const deckMove = z.union([z.literal('ask'), z.object({ page: wholeNumber(0, limits.edgeDeckPagesMax - 1) })])

/** Messages of the server. */
export const edgeServerMessage = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('welcome'),
    label: z.string(),
    /** Milliseconds between two reports. */
    reportEvery: wholeNumber(1000, 60_000),
    /** Version in use on this connection. Absent for protocol 1. */
    protocol: z.optional(wholeNumber(0, Number.MAX_SAFE_INTEGER)),
    /** Proves later that this installation enrolled the agent. The agent stores it. */
    enrolment: z.optional(z.string().check(z.maxLength(300))),
  }),
  z.object({
    type: z.literal('command'),
    id: commandId,
    command: edgeCommand,
    /**
     * The server repeats this command with the same id until it receives an outcome. The agent executes the command
     * once and answers each repeat with all lines and the first outcome. A restart has its outcome when the agent is
     * back.
     */
    isRepeated: z.optional(z.boolean()),
  }),
  /**
   * Requests the log lines between `after` and `before` of an instance that reports a `program`. If they do not fit
   * into one answer, the answer contains the newest lines, or with `isForward` the oldest. The agent never sends log
   * lines unrequested.
   */
  z.object({
    type: z.literal('log'),
    id: commandId,
    key: instanceKey,
    after: lineNumber,
    before: z.optional(lineNumber),
    isForward: z.optional(z.boolean()),
  }),
  /** Confirms that the database has all samples of this agent up to `until`, by the agent's clock. */
  z.object({ type: z.literal('kept'), until: wholeNumber(0, Number.MAX_SAFE_INTEGER) }),
  /** The desired display of a Stream Deck. */
  z.object({
    type: z.literal('deck'),
    serial: z.string(),
    /** 0 to 1. */
    brightness: numberBetween(0, 1),
    /** Picture in the size that the deck reported. Null clears the deck. */
    picture: z.nullable(deckPixels),
  }),
  /** One page of the keys of a deck. An agent without keys ignores it. */
  z.object({
    type: z.literal('desk'),
    serial: z.string(),
    page: wholeNumber(0, limits.edgeDeckPagesMax - 1),
    /** Number of pages of this deck. The agent drops pages beyond it. */
    pages: wholeNumber(1, limits.edgeDeckPagesMax),
    /** Picture in the size that the deck reported. Null for the picture of `deck`. */
    picture: z.nullable(deckPixels),
    keys: z.array(
      z.object({
        key: wholeNumber(0, limits.deckKeys - 1),
        /** Null: no effect. */
        press: z.nullable(deckMove),
        hold: z.nullable(deckMove),
      }),
    ),
  }),
  /** The outcome of a press. */
  z.object({ type: z.literal('pressed'), id: z.guid(), isDone: z.boolean() }),
  /**
   * Parts of a report that did not fit the schema and were corrected or left out, from protocol 2 on, once per
   * connection and rule. The rest of the report was accepted.
   */
  z.object({
    type: z.literal('refused'),
    parts: z.array(z.object({ path: z.string(), rule: z.string() })),
  }),
])
export type EdgeServerMessage = z.infer<typeof edgeServerMessage>
