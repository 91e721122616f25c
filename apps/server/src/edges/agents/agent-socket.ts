import {
  type AgentMessage,
  type EdgeServerMessage,
  edgeCloseCodes,
  limits,
  type RefusedPart,
  readAgentMessage,
} from '@pult/contract'
import type { RawData, WebSocket } from 'ws'
import { asWork } from '../../platform/database/pool-shares.ts'
import { countWithin } from '../../platform/realtime/count-within.ts'

const messagesPerSecond = 20

/** A correction can cost ten times as much as a message that fits. An agent with an odd value reports every 5 s. */
const correctionsMost = 20
const correctionsWithin = 10_000

/** Limit of unsent bytes: more than the largest picture of a deck. */
const unsentBytesMax = 8 * 1024 * 1024

const closeTimeout = 5000

interface AgentSocketParts {
  ws: WebSocket
  /** Receives the messages one at a time: the next one waits until the promise resolves. */
  onMessage: (message: AgentMessage) => Promise<void> | void
  /** Called with the fields of a message that do not fit, before the message, or before the socket is closed. */
  onRefused: (parts: readonly RefusedPart[]) => void
  onClose: () => void
  onFault: (error: unknown) => void
}

/** Wraps one agent's socket and enforces its limits. All listeners are attached when this returns. */
export function createAgentSocket({ ws, onMessage, onRefused, onClose, onFault }: AgentSocketParts) {
  let lastSeenAt = performance.now()
  const arrivals = countWithin(messagesPerSecond, 1000)
  const corrections = countWithin(correctionsMost, correctionsWithin)
  let work: Promise<void> | undefined
  let dropTimer: NodeJS.Timeout | undefined
  let isClosing = false

  const isOpen = () => ws.readyState === ws.OPEN

  function close(reason: keyof typeof edgeCloseCodes, detail?: string): void {
    if (!isOpen()) return
    isClosing = true
    ws.close(edgeCloseCodes[reason], detail === undefined ? reason : closeText(`${reason}: ${detail}`))
    dropTimer = setTimeout(() => ws.terminate(), closeTimeout).unref()
  }

  function isWithinRate(): boolean {
    lastSeenAt = performance.now()
    return arrivals(lastSeenAt)
  }

  async function handle({ message, refused, isReport }: ReturnType<typeof readAgentMessage>): Promise<void> {
    // Messages sent before the disconnect still count: a restarting agent announces it last.
    if (isClosing) return
    try {
      if (refused.length > 0) onRefused(refused)
      if (message !== undefined) return await asWork('agents', () => onMessage(message))
      // An agent whose reports are of no use stays connected: it can still be diagnosed and updated.
      if (isReport !== true) close('badMessage', refused.map(({ path, rule }) => `${path}: ${rule}`)[0])
    } catch (error) {
      close('tryAgainLater')
      onFault(error)
    }
  }

  ws.on('message', (data, isBinary) => {
    if (!isOpen()) return
    if (!isWithinRate()) return close('tooMany')
    const read = isBinary ? noJson : parse(data)
    if (read.refused.length > 0 && !corrections(lastSeenAt)) return close('tooMany')
    work = work === undefined ? handle(read) : work.then(() => handle(read))
  })
  const count = () => {
    if (!isWithinRate()) close('tooMany')
  }
  ws.on('ping', count)
  ws.on('pong', count)
  // The library answers and closes on protocol errors. Without a listener, the error would end the process.
  ws.on('error', () => {})
  ws.on('close', () => {
    clearTimeout(dropTimer)
    onClose()
  })

  return {
    isOpen,
    close,

    /** Resolves when the message is sent or the socket is closed. */
    async send(message: EdgeServerMessage): Promise<void> {
      if (!isOpen()) return
      const left = new Promise<void>((resolve) => ws.send(JSON.stringify(message), () => resolve()))
      if (ws.bufferedAmount > unsentBytesMax) close('tryAgainLater')
      await left
    },

    /** Closes the socket without the closing handshake. */
    drop: () => ws.terminate(),

    /** Milliseconds since the last message or ping of the agent. */
    silence: () => performance.now() - lastSeenAt,
  }
}
export type AgentSocket = ReturnType<typeof createAgentSocket>

const noJson: ReturnType<typeof readAgentMessage> = { refused: [{ path: 'message', rule: 'Must be JSON' }] }

function parse(data: RawData): ReturnType<typeof readAgentMessage> {
  let given: unknown
  try {
    // A text message arrives as one Buffer, whose UTF-8 the library has checked.
    given = JSON.parse((data as Buffer).toString())
  } catch {
    return noJson
  }
  return readAgentMessage(given)
}

/** The reason of a close has at most 123 bytes (RFC 6455 section 5.5). */
const closeText = (text: string) => text.replace(/[^\x20-\x7e]/g, '?').slice(0, 123)

/** Maximum size of a message. Reports are by far the largest; an agent with 100 instances stays below. */
export const agentMessageBytes = limits.socketMessageBytes * 4
