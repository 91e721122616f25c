import { randomUUID } from 'node:crypto'
import {
  type AgentMessage,
  apiBase,
  type EdgeCommand,
  type EdgeMachine,
  type EdgeReport,
  edgeCloseCodes,
  edgeProtocols,
  edgeServerMessage,
  edgeSocketPath,
  edgeTimes,
  z,
} from '@pult/contract'
import { WebSocket } from 'ws'
import { writeLog } from './agent-log.ts'
import { callFault } from './call-fault.ts'
import type { CommandMemory, RememberedCommand } from './command-memory.ts'
import type { Asked } from './deck-keys.ts'
import type { Decks } from './decks.ts'
import type { DeclaredCommands } from './declared-commands.ts'
import { diagnose } from './diagnostics.ts'
import { type ExitCode, exitCodes } from './exit-codes.ts'
import type { Instances } from './instances.ts'
import { type LongPauses, longerPause, randomised, usualLongPauses } from './long-pauses.ts'
import { identifyMachine } from './machine.ts'
import type { OwnValues } from './own-values.ts'
import { createLogAnswers } from './programs/log-answers.ts'
import { createReport, printable } from './report.ts'
import { clock, createSamples } from './samples.ts'
import { socketOptions } from './server-call.ts'
import { readState, reasonOf, writeState } from './state.ts'
import type { Updates } from './updates.ts'
import { version } from './version.ts'

interface ConnectionParts {
  server: string
  token: string
  /** The pinned key of releases. */
  releaseKey: string | undefined
  /** The stored proof of the enrolment. */
  enrolment: string | undefined
  stateFolder: string
  instances: Instances
  commands: Pick<DeclaredCommands, 'report' | 'run'>
  memory: CommandMemory
  decks: Pick<Decks, 'show' | 'take' | 'askWith' | 'report'>
  updates: Updates
  values: Pick<OwnValues, 'report'>
  longPauses?: LongPauses
}

const handshakeTimeout = 10_000

/** If the server acknowledges no report for this long, the agent closes the connection. */
const silenceMost = 45_000
const pingEvery = 15_000

/** Timeout for the server's confirmation of the close. Milliseconds. */
const closeTimeout = 1000

const firstPause = 500
/** The server forgives a longer absence after its own restart. */
const longestPause = 20_000

/** Milliseconds after which a connection counts as healthy, so that the next pause is the first one again. */
const wellAfter = 60_000

/** Close codes after which only an action of a user helps, or a server that is restored or updated. */
const lasting: ReadonlySet<number> = new Set([
  edgeCloseCodes.unauthenticated,
  edgeCloseCodes.replaced,
  edgeCloseCodes.protocol,
])

/**
 * Close codes of a server that has judged this agent. They repeat with each connection until a user acts, so their
 * reason is logged once.
 */
const repeated: ReadonlySet<number> = new Set([...lasting, edgeCloseCodes.waiting, edgeCloseCodes.badMessage])

/** Maximum number of logged fields that a server does not accept. */
const refusedMost = 100

/** A command's output lines are collected for this long and sent together. */
const lineDelay = 250
const linesAtOnce = 20

/** Number of last lines that a repeat of a command receives. */
const linesKept = 100

/** Maximum length of a line and of a command's result. */
const textMost = 500

/** Interval of messages while a command runs. The server aborts a command after 15 s without one. */
const heartbeatEvery = 5000

/** Maximum size of a message of the server. Larger than the picture of the largest deck. */
const messageMost = 8 * 1024 * 1024

/** Maximum number of messages with samples that are sent at a time. The server accepts 20 messages a second. */
const messagesAtOnce = 8

/** Maximum number of presses per second, and milliseconds after which an unanswered press counts as failed. */
const pressesMost = 8
const pressTime = 10_000

interface Ended {
  code: number
  /** Milliseconds from the server's welcome to the end; undefined without a welcome. */
  welcomeFor: number | undefined
}

type Outcome = NonNullable<Extract<AgentMessage, { type: 'answer' }>['outcome']>

const run = randomUUID()

/** Runs from the start to the end of the process: connects, reports, executes commands, and reconnects. */
export function createConnection({
  server,
  token,
  releaseKey,
  enrolment,
  stateFolder,
  instances,
  commands,
  memory,
  decks,
  updates,
  values,
  longPauses = usualLongPauses,
}: ConnectionParts) {
  const samples = createSamples()
  const answerLog = createLogAnswers(instances.readLog)
  /** Sends a report on the current connection, after the server has accepted it. */
  let sendReport: ((found: EdgeReport) => void) | undefined
  let reportTimer: NodeJS.Timeout | undefined
  /** Asks the server on the current connection to run the action of a key. */
  let askServer: ((asked: Asked) => Promise<boolean>) | undefined
  decks.askWith(async (asked) => (await askServer?.(asked)) ?? false)
  /** Whether the next greeting follows protocol 1, which has no range of protocols. */
  let greetsPlainly = false
  /** Why the last connection ended. */
  let lastReason = ''
  /** The proof of the enrolment that the server recognises after it was restored. */
  let proof = enrolment
  /** The proof in the state folder. */
  let storedProof = enrolment
  /** Fields of reports that the server has corrected. Each is logged once, because reports repeat. */
  const refusedParts = new Set<string>()
  const url = server.replace(/^http/, 'ws') + apiBase + edgeSocketPath
  let connections = 0
  const stopping = new AbortController()
  let current: WebSocket | undefined
  let wake: (() => void) | undefined

  const report = createReport(stateFolder, {
    instances: instances.report,
    update: updates.report,
    commands: commands.report,
    values: () => {
      const own = values.report()
      return own.length > 0 ? own : undefined
    },
    decks: decks.report,
  })
  let isReporting = false

  /** Takes a sample and sends it, or stores it until a server is connected. */
  async function takeSample(): Promise<void> {
    // On a slow machine, reads of the state must not overlap.
    if (isReporting) return
    isReporting = true
    try {
      const found = await report()
      samples.take(found)
      sendReport?.(found)
    } finally {
      isReporting = false
    }
  }

  function logRefused({ path, rule }: { path: string; rule: string }): void {
    const line = printable(`The server does not accept ${path} of the report: ${rule}`, textMost)
    if (refusedParts.has(line) || refusedParts.size >= refusedMost) return
    refusedParts.add(line)
    writeLog(line)
  }

  function sampleEvery(interval: number): void {
    clearInterval(reportTimer)
    reportTimer = setInterval(() => void takeSample(), interval)
  }

  /** Stores a new proof of the enrolment. */
  async function keepProof(given: string): Promise<void> {
    proof = given
    if (given === storedProof) return
    const state = await readState(stateFolder).catch(() => undefined)
    // Another enrolment may have replaced this one.
    if (state?.token !== token) return
    try {
      await writeState(stateFolder, { ...state, enrolment: given })
      storedProof = given
    } catch (error) {
      writeLog(`The proof of the enrolment could not be saved: ${reasonOf(error)}`)
    }
  }

  /** Runs one connection until it closes. Returns its close code and whether the server had accepted it. */
  function connectOnce(machine: EdgeMachine): Promise<Ended> {
    const ws = new WebSocket(url, {
      handshakeTimeout,
      maxPayload: messageMost,
      perMessageDeflate: false,
      ...socketOptions(server),
    })
    current = ws
    let welcomeAt: number | undefined
    let hasReported = false
    let lastSeenAt = performance.now()
    const pingTimer = setInterval(() => {
      if (performance.now() - lastSeenAt > silenceMost) ws.terminate()
      else if (ws.readyState === ws.OPEN) ws.ping()
    }, pingEvery)
    const send = (message: AgentMessage) => {
      if (ws.readyState === ws.OPEN) ws.send(JSON.stringify(message))
    }
    /** Sends samples that no server has confirmed, oldest first, a few messages at a time. */
    const sendWithSamples = (found: EdgeReport) => {
      let messages = 0
      do {
        send({ type: 'report', report: found, at: clock(), samples: samples.next() })
        messages += 1
      } while (samples.hasNext() && messages < messagesAtOnce)
      hasReported = true
    }
    // A server of protocol 1 rejects unknown fields.
    const sendPlainly = ({
      values: _own,
      update: _update,
      commands: _commands,
      missing: _missing,
      decks: { faulty: _faulty, ...decksOf },
      ...found
    }: EdgeReport) => {
      const plain = found.instances.map(({ program: _program, ...instance }) => instance)
      send({ type: 'report', report: { ...found, decks: decksOf, instances: plain } })
      hasReported = true
    }

    /** Decks whose keys the server of this connection knows. A server of another release may know none. */
    const desks = new Set<string>()
    const pressed = new Map<string, (isDone: boolean) => void>()
    const pressedAt: number[] = []
    askServer = (asked) => {
      const now = performance.now()
      if (!desks.has(asked.serial) || now - (pressedAt.at(-pressesMost) ?? -1000) < 1000)
        return Promise.resolve(false)
      pressedAt.push(now)
      if (pressedAt.length > pressesMost) pressedAt.shift()
      const id = randomUUID()
      return new Promise<boolean>((resolve) => {
        // A late or missing answer leaves open whether the server has acted.
        const timer = setTimeout(() => settle(false), pressTime)
        const settle = (isDone: boolean) => {
          clearTimeout(timer)
          pressed.delete(id)
          resolve(isDone)
        }
        pressed.set(id, settle)
        send({ type: 'press', id, ...asked })
      })
    }

    ws.on('open', () => {
      // A server of protocol 1 rejects the fields that it does not know.
      const proven = proof === undefined ? {} : { enrolment: proof }
      const known = greetsPlainly ? { protocol: 1 } : { ...greeting, machine, ...proven }
      send({ type: 'hello', ...known, token, version, run })
    })
    ws.on('pong', () => {
      lastSeenAt = performance.now()
      if (hasReported) updates.confirm()
    })
    ws.on('message', (data) => {
      lastSeenAt = performance.now()
      const message = parse(data as Buffer)
      // The agent ignores unknown messages of a newer server, but refuses unknown commands.
      if (message === undefined) return
      if (message.type === 'unknown-command') {
        const error = `The agent ${version} does not know this command. Update the agent.`
        return send({ type: 'answer', command: message.id, lines: [], outcome: { ok: false, error } })
      }
      if (message.type === 'welcome') {
        welcomeAt = performance.now()
        connections += 1
        updates.reached()
        writeLog(`Connected to ${server} as "${message.label}"`)
        samples.begin()
        if (message.enrolment !== undefined) void keepProof(message.enrolment)
        sendReport = (message.protocol ?? 1) > 1 ? sendWithSamples : sendPlainly
        sampleEvery(Math.min(message.reportEvery, edgeTimes.report))
        // The answer proves that the server has accepted the report before it.
        void takeSample().then(() => ws.ping())
      } else if (message.type === 'kept') samples.kept(message.until)
      else if (message.type === 'refused') message.parts.forEach(logRefused)
      else if (message.type === 'deck') void decks.show(message)
      else if (message.type === 'log') void answerLog(message, send)
      else if (message.type === 'desk') {
        desks.add(message.serial)
        decks.take(message)
      } else if (message.type === 'pressed') pressed.get(message.id)?.(message.isDone)
      else if (message.isRepeated === true) void runRepeatedCommand(message.id, message.command, send)
      else void runCommand(message.id, message.command, send)
    })
    return new Promise((resolve) => {
      let failure = ''
      ws.on('error', (error) => {
        failure = callFault(error, server)
      })
      ws.on('close', (code, given) => {
        clearInterval(pingTimer)
        sendReport = undefined
        askServer = undefined
        for (const settle of pressed.values()) settle(false)
        if (current === ws) current = undefined
        if (repeated.has(code)) updates.reached()
        // The agent retries every 30 s, perhaps for days.
        const reason = failure || reasonOfCode(code, printable(given.toString(), textMost))
        if (!stopping.signal.aborted && !(repeated.has(code) && reason === lastReason))
          writeLog(`Not connected to ${server}: ${reason}`)
        lastReason = reason
        resolve({ code, welcomeFor: welcomeAt === undefined ? undefined : performance.now() - welcomeAt })
      })
    })
  }

  /** Executes one command and sends its output in batches. */
  async function runCommand(
    id: string,
    command: EdgeCommand,
    send: (message: AgentMessage) => void,
  ): Promise<void> {
    writeLog(`Command ${command.name}`)
    const waiting: string[] = []
    const flush = () => {
      while (waiting.length > 0) send({ type: 'answer', command: id, lines: waiting.splice(0, linesAtOnce) })
    }
    const timer = setInterval(flush, lineDelay)
    // A long command without output is still running.
    const heartbeatTimer = setInterval(() => send({ type: 'answer', command: id, lines: [] }), heartbeatEvery)
    const onLine = (line: string) => void waiting.push(printable(line, textMost))
    // Sent immediately, so that the server knows that the command has started.
    send({ type: 'answer', command: id, lines: [] })
    try {
      const info = printable(await perform(command, onLine), textMost)
      flush()
      send({ type: 'answer', command: id, lines: [], outcome: { ok: true, info } })
      if (command.name === 'restart' || command.name === 'update') stop(exitCodes.restart)
    } catch (error) {
      flush()
      const reason = printable(reasonOf(error), textMost)
      send({ type: 'answer', command: id, lines: [], outcome: { ok: false, error: reason } })
    } finally {
      clearInterval(timer)
      clearInterval(heartbeatTimer)
    }
  }

  /** The running commands by id, each with the connection of its last repeat, which receives the answers. */
  const answering = new Map<string, { lines: string[]; send: (message: AgentMessage) => void }>()

  /**
   * Executes a command that the server repeats until it has an outcome. Each repeat receives all lines and the outcome.
   */
  async function runRepeatedCommand(
    id: string,
    command: EdgeCommand,
    send: (message: AgentMessage) => void,
  ): Promise<void> {
    const running = answering.get(id)
    if (running !== undefined) {
      running.send = send
      return answer(send, id, [])
    }
    const answered = { lines: [] as string[], send }
    answering.set(id, answered)
    // Shows that a long command is still running, so that the server does not repeat it.
    const heartbeatTimer = setInterval(() => answer(answered.send, id, []), heartbeatEvery)
    try {
      const before = await memory.begin(id, command.name).catch((error: unknown) => {
        // Diagnostics change nothing, so they may run again after a crash. They show why the disk cannot be written.
        if (command.name !== 'diagnostics') throw error
        return undefined
      })
      // Acknowledges the command: until its first answer, the server may cancel it.
      if (before === undefined) answer(answered.send, id, [])
      const outcome = before === undefined ? await execute(id, command, answered.lines) : outcomeOf(before)
      if (outcome === undefined) return
      const lines = before?.lines ?? answered.lines
      for (let from = 0; from < lines.length; from += linesAtOnce)
        answer(answered.send, id, lines.slice(from, from + linesAtOnce))
      answered.send({ type: 'answer', command: id, lines: [], outcome })
    } catch (error) {
      // Without a durable note the command must not begin.
      const reason = printable(
        `The command was not started, because it could not be saved: ${reasonOf(error)}`,
        textMost,
      )
      answered.send({ type: 'answer', command: id, lines: [], outcome: { ok: false, error: reason } })
    } finally {
      clearInterval(heartbeatTimer)
      answering.delete(id)
    }
  }

  /** Returns the outcome of a noted command; undefined if the next process answers. */
  async function execute(id: string, command: EdgeCommand, lines: string[]): Promise<Outcome | undefined> {
    writeLog(`Command ${command.name}`)
    const onLine = (line: string) => {
      lines.push(printable(line, textMost))
      if (lines.length > linesKept) lines.shift()
    }
    let outcome: Outcome
    try {
      outcome = { ok: true, info: printable(await perform(command, onLine), textMost) }
      if (command.name === 'restart' || command.name === 'update') {
        stop(exitCodes.restart)
        return undefined
      }
    } catch (error) {
      outcome = { ok: false, error: printable(reasonOf(error), textMost) }
    }
    await memory
      .end(id, lines, outcome)
      .catch((error: unknown) => writeLog(`The outcome of a command could not be saved: ${reasonOf(error)}`))
    return outcome
  }

  async function perform(command: EdgeCommand, onLine: (line: string) => void): Promise<string> {
    switch (command.name) {
      case 'restart':
        onLine(`Agent ${version}, process ${process.pid}, ends`)
        return 'The agent ends.'
      case 'update': {
        const next = await updates.fetch({ onLine, isAsked: true, signal: stopping.signal })
        return `Agent ${next} starts.`
      }
      case 'restart-instance':
        return instances.restart(command.key, onLine)
      case 'start-instance':
        return instances.startProgram(command.key)
      case 'stop-instance':
        return instances.stopProgram(command.key)
      case 'run':
        return commands.run(command.key, command.values, onLine)
      case 'diagnostics':
        return diagnose({ server, version, releaseKey, report: await report(), connections }, onLine)
    }
  }

  let ended: (code: ExitCode) => void
  const end = new Promise<ExitCode>((resolve) => {
    ended = resolve
  })

  function stop(code: ExitCode): void {
    if (stopping.signal.aborted) return
    stopping.abort()
    clearInterval(reportTimer)
    // Flush pending messages first.
    const last = current
    last?.close(1000)
    setTimeout(() => last?.terminate(), closeTimeout).unref()
    wake?.()
    ended(code)
  }

  /**
   * Installs the agent of a server that speaks none of this agent's protocols. Returns whether the next start runs it.
   */
  async function isUpdated(): Promise<boolean> {
    try {
      const next = await updates.fetch({ onLine: writeLog, isAsked: false, signal: stopping.signal })
      writeLog(`Agent ${next} starts`)
      return true
    } catch (error) {
      writeLog(`The agent of ${server} cannot be installed: ${reasonOf(error)}`)
      return false
    }
  }

  /** Waits, or until the agent stops. */
  const waitFor = (time: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, time)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  /** Waits, or until this machine has a new enrolment, which it returns. */
  async function waitLong(time: number): Promise<boolean> {
    const until = performance.now() + randomised(time)
    while (!stopping.signal.aborted && performance.now() < until) {
      await waitFor(Math.min(longPauses.look, until - performance.now()))
      const state = await readState(stateFolder).catch(() => undefined)
      if (state !== undefined && state.token !== token) return true
    }
    return false
  }

  /** Connects, and reconnects after each loss. Returns the exit code of the process. */
  async function stayConnected(): Promise<ExitCode> {
    let pause = firstPause
    let longPause = longPauses.first
    sampleEvery(edgeTimes.report)
    while (!stopping.signal.aborted) {
      const { code, welcomeFor } = await connectOnce(await identifyMachine())
      if (code === edgeCloseCodes.protocol && releaseKey !== undefined && (await isUpdated())) {
        stop(exitCodes.restart)
        break
      }
      // A connection that ends soon after it began is a failure, too: the pause grows with each.
      if (welcomeFor !== undefined && welcomeFor >= wellAfter) pause = firstPause
      if (welcomeFor !== undefined && welcomeFor >= longPauses.longest) longPause = longPauses.first
      // An agent that can verify releases waits for one that it can use.
      if (lasting.has(code) && !(code === edgeCloseCodes.protocol && releaseKey !== undefined)) {
        if (await waitLong(longPause)) stop(exitCodes.restart)
        longPause = longerPause(longPause, longPauses)
        continue
      }
      // A server of protocol 1 rejects the range as an unknown field.
      if (welcomeFor === undefined && code === edgeCloseCodes.badMessage) greetsPlainly = !greetsPlainly
      if (stopping.signal.aborted) break
      await waitFor(randomised(pause))
      pause = Math.min(pause * 2, longestPause)
    }
    return end
  }

  return { stayConnected, stop }
}

const answer = (send: (message: AgentMessage) => void, command: string, lines: string[]) =>
  send({ type: 'answer', command, lines })

/** Returns the outcome of a command that began earlier. Without one, the process that ran it has ended. */
function outcomeOf({ name, outcome }: RememberedCommand): Outcome {
  if (outcome !== undefined) return outcome
  if (name === 'restart') return { ok: true, info: 'The agent has restarted.' }
  return {
    ok: false,
    error: 'The agent ended while the command ran. It is not known whether the command finished.',
  }
}

const greeting = { protocol: edgeProtocols.max, protocols: edgeProtocols }

const anyCommand = z.object({ type: z.literal('command'), id: z.guid() })

function parse(data: Buffer) {
  try {
    const message: unknown = JSON.parse(data.toString())
    const known = edgeServerMessage.safeParse(message)
    if (known.success) return known.data
    const { id } = anyCommand.parse(message)
    return { type: 'unknown-command' as const, id }
  } catch {
    return undefined
  }
}

/** `given` is the reason that the server has sent. Servers of earlier releases send only the name of the code. */
function reasonOfCode(code: number, given: string): string {
  if (code === edgeCloseCodes.goingAway) return 'the server is stopping'
  if (code === edgeCloseCodes.badMessage)
    return `the server refuses a message of this agent (${given.replace(/^badMessage:? ?/, '') || 'without a reason'})`
  if (code === edgeCloseCodes.waiting) return 'this machine awaits approval in the Edges app'
  if (code === edgeCloseCodes.unauthenticated)
    return 'the server does not admit this edge: it was revoked, deleted or enrolled again. Enrol this machine with a new code from the Edges app. The agent asks again after growing pauses of up to an hour'
  if (code === edgeCloseCodes.replaced)
    return 'another agent has connected as this edge. If this machine was cloned, enrol each machine with its own code. The agent asks again after growing pauses of up to an hour'
  if (code === edgeCloseCodes.protocol)
    return 'the agent and the server have no protocol in common. If the agent does not update itself, download it from the server again'
  return `the server closed the connection with code ${code}`
}
