import type { Duplex } from 'node:stream'
import { type ClientMessage, clientMessage, type ServerMessage, socketCloseCodes } from '@pult/contract'
import type { RawData, WebSocket } from 'ws'
import { countWithin } from './count-within.ts'

/** Unsent bytes above which a client is too slow. */
const unsentBytesMax = 1024 * 1024

const messagesPerSecond = 20

/** Milliseconds for a client to confirm a close; unsent messages are kept for this time. */
const closeTimeout = 5000

export interface ClientSocketParts {
  ws: WebSocket
  /** The underlying socket. */
  duplex: Pick<Duplex, 'cork' | 'uncork'>
  /** Receives the messages one at a time: the next one waits until the promise resolves. */
  onMessage: (message: ClientMessage) => Promise<void>
  onClose: () => void
  /** `onMessage` failed; the socket is closed. */
  onFault: (error: unknown) => void
}

/** One connected client within its limits. All listeners are attached when this returns. */
export function createClientSocket({ ws, duplex, onMessage, onClose, onFault }: ClientSocketParts) {
  let lastSeenAt = performance.now()
  const isWithin = countWithin(messagesPerSecond, 1000)
  let work = Promise.resolve()
  let dropTimer: NodeJS.Timeout | undefined

  const isOpen = () => ws.readyState === ws.OPEN

  function close(code: number, reason: string): void {
    if (!isOpen()) return
    // Messages sent or received after this are dropped, even while the client has not confirmed the close.
    ws.close(code, reason)
    dropTimer = setTimeout(() => ws.terminate(), closeTimeout).unref()
  }

  /** Records the activity. Returns whether the client is within its rate. */
  function isWithinRate(): boolean {
    lastSeenAt = performance.now()
    return isWithin(lastSeenAt)
  }

  async function handle(message: ClientMessage): Promise<void> {
    if (!isOpen()) return
    try {
      await onMessage(message)
    } catch (error) {
      close(socketCloseCodes.fault, 'The server failed')
      onFault(error)
    }
  }

  ws.on('message', (data, isBinary) => {
    if (!isOpen()) return
    if (!isWithinRate()) return close(socketCloseCodes.tooMany, 'Too many messages')
    if (isBinary) return close(socketCloseCodes.binary, 'Messages are JSON texts')
    const message = parse(data)
    if (message === undefined) return close(socketCloseCodes.badMessage, 'Not a known message')
    work = work.then(() => handle(message))
  })
  ws.on('ping', () => {
    if (!isWithinRate()) close(socketCloseCodes.tooMany, 'Too many messages')
  })
  ws.on('pong', () => {
    lastSeenAt = performance.now()
  })
  // The library answers and closes on protocol errors. Without a listener, the error would end the process.
  ws.on('error', () => {})
  ws.on('close', () => {
    clearTimeout(dropTimer)
    onClose()
  })

  /** Sends UTF-8 text messages with one system call, which takes most of the time. */
  function sendTexts(texts: readonly Buffer[]): void {
    if (!isOpen()) return
    duplex.cork()
    for (const text of texts) ws.send(text, { binary: false })
    duplex.uncork()
    if (ws.bufferedAmount > unsentBytesMax) close(socketCloseCodes.tryAgainLater, 'Reads too slowly')
  }

  return {
    isOpen,
    close,
    sendTexts,

    send: (message: ServerMessage): void => sendTexts([Buffer.from(JSON.stringify(message))]),

    ping(): void {
      if (isOpen()) ws.ping()
    },

    /** Closes the socket without the closing handshake. */
    drop: () => ws.terminate(),

    /** Milliseconds since the last activity of the client. */
    silence: () => performance.now() - lastSeenAt,
  }
}
export type ClientSocket = ReturnType<typeof createClientSocket>

function parse(data: RawData): ClientMessage | undefined {
  try {
    // A text message arrives as one Buffer, whose UTF-8 the library has checked.
    return clientMessage.parse(JSON.parse((data as Buffer).toString()))
  } catch {
    return undefined
  }
}
