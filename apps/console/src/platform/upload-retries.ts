import { type FileSender, isFinalRefusal } from '@pult/sdk/host'
import { ApiError } from './api-error.ts'
import { connection } from './realtime.ts'

/** Longest pause before a retry, in milliseconds. */
const longestPause = 30_000

/** Transfers that fail without delivering any byte, while the server can be reached, until the user decides. */
const failuresMost = 8

/** The same for refusals of the file store. A new address cures the first ones, if the earlier has expired. */
const refusalsMost = 3

/** Longest pause before the sender asks again whether an earlier transfer still holds the ticket, in milliseconds. */
const heldPause = 3000

/** Longest `retry-after` for which the sender waits automatically, in seconds. */
const limitMost = 30

/** Errors that do not depend on the file and pass by themselves. */
const passing = new Set([
  'NETWORK',
  'UPLOAD_INCOMPLETE',
  'TICKET_NOT_VALID',
  'STORE_REFUSED',
  'BUSY',
  'NOT_READY',
  'DATABASE_UNAVAILABLE',
  'QUERY_TIMEOUT',
])

interface Attempts {
  /** Failed transfers since the last one that delivered bytes. */
  failures: number
  /** Consecutive failures to reach the server before a transfer. */
  outages: number
}

/**
 * Returns the milliseconds before the next attempt, or null if the user must decide. While the server cannot be reached
 * at all, the attempts continue: the user sees that the upload waits, and can abort it.
 */
export function pauseAfter(error: unknown, { failures, outages }: Attempts): number | null {
  if (!(error instanceof ApiError) || isFinalRefusal(error)) return null
  const { code, retryAfter } = error
  const asked = (retryAfter ?? 0) * 1000
  // The earlier transfer of this file. After a crash of the server its hold expires.
  if (code === 'UPLOAD_RUNNING') return Math.min(heldPause, asked || heldPause)
  const isLimited = code === 'TOO_MANY_REQUESTS' || code === 'PROXY_BUSY'
  if (isLimited ? retryAfter === undefined || retryAfter > limitMost : !passing.has(code)) return null
  if (failures >= (code === 'STORE_REFUSED' ? refusalsMost : failuresMost)) return null
  // Bytes may have arrived after the sender asked for them, or the address has expired.
  if (code === 'TICKET_NOT_VALID' && failures === 1) return 0
  return Math.max(asked, Math.min(1000 * 2 ** (Math.max(failures, outages) - 1), longestPause))
}

/** Resolves after the pause, or as soon as the network or the live connection is back. Rejects with the signal's reason. */
export async function waitForConnection(
  milliseconds: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  signal?.throwIfAborted()
  const over = new AbortController()
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds)
    const stop = connection.subscribe(() => {
      if (connection.get() === 'ready') resolve()
    })
    addEventListener('online', () => resolve(), { signal: over.signal })
    signal?.addEventListener('abort', () => reject(signal.reason as Error), { signal: over.signal })
    over.signal.addEventListener('abort', () => {
      clearTimeout(timer)
      stop()
    })
  }).finally(() => over.abort())
}

/** These errors of an upload are final for a stored file: it has expired, or belongs to a record. */
const finalOnceStored = new Set(['UPLOAD_INCOMPLETE', 'TICKET_NOT_VALID', 'STORE_REFUSED'])

/** Makes a call, and repeats it as long as the server cannot be reached. */
export const deliver: FileSender['deliver'] = async (call, { signal, onWaiting }) => {
  for (let outages = 1; ; outages += 1) {
    try {
      await call()
      return
    } catch (error) {
      const isFinal = error instanceof ApiError && finalOnceStored.has(error.code)
      const pause = signal.aborted || isFinal ? null : pauseAfter(error, { failures: 0, outages })
      if (pause === null) throw error
      onWaiting(true)
      await waitForConnection(pause, signal)
      onWaiting(false)
    }
  }
}
