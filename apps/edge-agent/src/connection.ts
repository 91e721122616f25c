import { randomUUID } from 'node:crypto'
import {
  type AgentMessage,
  agentMessage,
  apiBase,
  type EdgeCommand,
  type EdgeReport,
  edgeCloseCodes,
  edgeProtocol,
  edgeServerMessage,
  edgeSocketPath,
  edgeTimes,
} from '@pult/contract'
import { WebSocket } from 'ws'
import type { Decks } from './decks.ts'
import { diagnose } from './diagnostics.ts'
import { type ExitCode, exitCodes, Failure } from './exit-codes.ts'
import type { Instances } from './instances.ts'
import { lookAround, printable } from './report.ts'
import { say } from './say.ts'
import { reasonOf } from './state.ts'
import { version } from './version.ts'

interface ConnectionParts {
  server: string
  token: string
  stateFolder: string
  instances: Instances
  decks: Decks
}

const handshakeTimeout = 10_000

/** A server that answers no report for so long is not there any more, though nobody has said so. */
const silenceMost = 45_000
const pingEvery = 15_000

/** A server that does not confirm the close is not waited for. */
const closeTimeout = 1000

const firstPause = 500
const longestPause = 30_000

/** Lines of a command wait this long for others, and go together. */
const lineDelay = 250
const linesAtOnce = 20

/** Of a line, and of what a command says at its end. */
const textMost = 500

/** A server gives a command up that nothing was heard of for 15 s. */
const signEvery = 5000

/** More than the picture of the largest deck. */
const messageMost = 8 * 1024 * 1024

const run = randomUUID()

/** From the start of the process to its end: connects, reports, does what it is told, and connects again. */
export function createConnection({ server, token, stateFolder, instances, decks }: ConnectionParts) {
  const url = server.replace(/^http/, 'ws') + apiBase + edgeSocketPath
  let connections = 0
  const stopping = new AbortController()
  let current: WebSocket | undefined
  let wake: (() => void) | undefined

  async function report(): Promise<EdgeReport> {
    const around = { ...(await lookAround(stateFolder)), instances: instances.report() }
    const whole: EdgeReport = { ...around, decks: decks.report() }
    // A deck unlike all that are known today, say a larger one, would have the server refuse the rest with it.
    if (agentMessage.safeParse({ type: 'report', report: whole }).success) return whole
    const reason = 'A deck is of a kind that this agent does not know'
    return { ...around, decks: { driver: 'failed', reason, devices: [] } }
  }

  /** One connection, until it ends. Answers its close code, and whether the server had let it in. */
  function stay(): Promise<{ code: number; wasWelcome: boolean }> {
    const ws = new WebSocket(url, { handshakeTimeout, maxPayload: messageMost, perMessageDeflate: false })
    current = ws
    let wasWelcome = false
    let heardAt = performance.now()
    let reportTimer: NodeJS.Timeout | undefined
    const pingTimer = setInterval(() => {
      if (performance.now() - heardAt > silenceMost) ws.terminate()
      else if (ws.readyState === ws.OPEN) ws.ping()
    }, pingEvery)
    const send = (message: AgentMessage) => {
      if (ws.readyState === ws.OPEN) ws.send(JSON.stringify(message))
    }
    const sendReport = () =>
      report().then(
        (found) => send({ type: 'report', report: found }),
        (error: unknown) => say(`This machine cannot be looked at: ${reasonOf(error)}`),
      )

    ws.on('open', () => send({ type: 'hello', protocol: edgeProtocol, token, version, run }))
    ws.on('pong', () => {
      heardAt = performance.now()
    })
    ws.on('message', (data) => {
      heardAt = performance.now()
      const message = parse(data as Buffer)
      // One that a newer server knows and this agent does not is none of its matters.
      if (message === undefined) return
      if (message.type === 'welcome') {
        wasWelcome = true
        connections += 1
        say(`Connected to ${server} as "${message.label}"`)
        void sendReport()
        clearInterval(reportTimer)
        reportTimer = setInterval(() => void sendReport(), Math.min(message.reportEvery, edgeTimes.report))
      } else if (message.type === 'deck') void decks.show(message)
      else void obey(message.id, message.command, send)
    })
    return new Promise((resolve) => {
      let reason = ''
      ws.on('error', (error) => {
        reason = error.message
      })
      ws.on('close', (code) => {
        clearInterval(pingTimer)
        clearInterval(reportTimer)
        if (current === ws) current = undefined
        if (!stopping.signal.aborted) say(`Not connected to ${server}: ${reason || reasonOfCode(code)}`)
        resolve({ code, wasWelcome })
      })
    })
  }

  /** Does one command, and sends what it says many lines at once. */
  async function obey(
    id: string,
    command: EdgeCommand,
    send: (message: AgentMessage) => void,
  ): Promise<void> {
    say(`Told to ${command.name}`)
    const waiting: string[] = []
    const flush = () => {
      while (waiting.length > 0) send({ type: 'answer', command: id, lines: waiting.splice(0, linesAtOnce) })
    }
    const timer = setInterval(flush, lineDelay)
    // What takes long and says nothing is still being done.
    const signTimer = setInterval(() => send({ type: 'answer', command: id, lines: [] }), signEvery)
    const onLine = (line: string) => void waiting.push(printable(line, textMost))
    // At once, so that the server knows that somebody is at it.
    send({ type: 'answer', command: id, lines: [] })
    try {
      const info = printable(await perform(command, onLine), textMost)
      flush()
      send({ type: 'answer', command: id, lines: [], outcome: { ok: true, info } })
    } catch (error) {
      flush()
      const reason = printable(reasonOf(error), textMost)
      send({ type: 'answer', command: id, lines: [], outcome: { ok: false, error: reason } })
    } finally {
      clearInterval(timer)
      clearInterval(signTimer)
    }
    if (command.name === 'restart') stop(exitCodes.restart)
  }

  async function perform(command: EdgeCommand, onLine: (line: string) => void): Promise<string> {
    switch (command.name) {
      case 'restart':
        onLine(`Agent ${version}, process ${process.pid}, ends`)
        return 'The agent ends.'
      case 'restart-instance':
        return instances.restart(command.key, onLine)
      case 'diagnostics':
        return diagnose({ server, version, report: await report(), connections }, onLine)
    }
  }

  let ended: (code: ExitCode) => void
  const end = new Promise<ExitCode>((resolve) => {
    ended = resolve
  })

  function stop(code: ExitCode): void {
    if (stopping.signal.aborted) return
    stopping.abort()
    // What was just sent leaves first.
    const last = current
    last?.close(1000)
    setTimeout(() => last?.terminate(), closeTimeout).unref()
    wake?.()
    ended(code)
  }

  /** Answers how the process is to end. */
  async function keep(): Promise<ExitCode> {
    let pause = firstPause
    while (!stopping.signal.aborted) {
      const { code, wasWelcome } = await stay()
      const failure = finalFailure(code)
      if (failure !== undefined && !stopping.signal.aborted) throw failure
      if (wasWelcome) pause = firstPause
      if (stopping.signal.aborted) break
      // Spread, so that a thousand edges do not all come back to a server that has just started.
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, pause * (0.5 + Math.random()))
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
      pause = Math.min(pause * 2, longestPause)
    }
    return end
  }

  return { keep, stop }
}

function parse(data: Buffer) {
  try {
    return edgeServerMessage.parse(JSON.parse(data.toString()))
  } catch {
    return undefined
  }
}

function finalFailure(code: number): Failure | undefined {
  switch (code) {
    case edgeCloseCodes.unauthenticated:
      return new Failure(
        exitCodes.refused,
        'The server does not let this edge in any more: it was revoked, deleted or enrolled anew. A new code from the Edges app makes it an edge again.',
      )
    case edgeCloseCodes.replaced:
      return new Failure(
        exitCodes.replaced,
        'Another agent has connected as this edge. Was this machine copied? Each one needs a code of its own.',
      )
    case edgeCloseCodes.protocol:
      return new Failure(
        exitCodes.protocol,
        'The server speaks another version of the protocol: fetch its agent.',
      )
    default:
      return undefined
  }
}

const reasonOfCode = (code: number) =>
  code === edgeCloseCodes.goingAway ? 'the server stops' : `closed with ${code}`
