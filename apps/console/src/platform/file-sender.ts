import { fileEndpoints, limits, type StoredFile, type UploadTicket } from '@pult/contract'
import type { FileSender } from '@pult/sdk/host'
import { api, errorOf, isErrorReply } from './api.ts'
import { ApiError } from './api-error.ts'
import { putBytes } from './file-transfer.ts'
import { type AnswerHead, foreignAnswer, isOfProxy, secondsOf } from './foreign-answer.ts'
import { texts } from './platform.texts.ts'
import { connection, hasConnected } from './realtime.ts'

/** Milliseconds before an interrupted transfer is retried. After the last retry the user decides. */
const waits = [1000, 3000]

/** Milliseconds after which the sender asks again whether an earlier transfer still holds the ticket. */
const heldPause = 3000

/** Errors that do not depend on the file, so a retry can succeed. */
const passing = new Set([
  'NETWORK',
  'UPLOAD_INCOMPLETE',
  'UPLOAD_RUNNING',
  'BUSY',
  'DATABASE_UNAVAILABLE',
  'QUERY_TIMEOUT',
])

/** Sends one file to the server or to the file store that the server names. */
export function createFileSender(file: File, { project }: { project: string | null }): FileSender {
  // Some systems know no type for a file. The server then stores it as bytes.
  const contentType = file.type.split(';')[0]?.trim().toLowerCase() || 'application/octet-stream'
  let ticket: UploadTicket | undefined
  type Options = Parameters<FileSender['send']>[0]

  /** Returns the offset to resume from, or the stored file if the upload has completed but its response was lost. */
  async function begin(signal: AbortSignal | undefined): Promise<number | StoredFile> {
    if (ticket !== undefined) {
      const offset = ticket.isResumable ? await offsetOf(ticket, signal) : undefined
      if (offset !== undefined) return offset
      const stored = await storedOf(ticket, signal)
      if (stored !== undefined) return stored
    }
    const body = {
      // The end has the extension. It must not begin with a part of a character.
      filename: file.name.slice(-limits.fileNameMax).replace(/^[\p{M}\p{Cs}]+/u, '') || 'file',
      contentType,
      size: file.size,
      ...(project !== null && { project }),
    }
    ticket = await api(fileEndpoints.create, { body, ...(signal !== undefined && { signal }) })
    return 0
  }

  async function sendOnce({ onProgress, signal }: Options): Promise<StoredFile> {
    const start = await begin(signal)
    if (typeof start !== 'number') return start
    const { url, headers } = ticket as UploadTicket
    const rest = start === 0 ? file : file.slice(start)
    const answer = await putBytes(url, rest, {
      headers: {
        ...headers,
        ...(start > 0 && { 'content-range': `bytes ${start}-${file.size - 1}/${file.size}` }),
      },
      onProgress: (share) => onProgress?.(file.size === 0 ? 1 : (start + share * rest.size) / file.size),
      ...(signal !== undefined && { signal }),
    })
    if (!answer.isSuccess) {
      const isOfServer = (ticket as UploadTicket).isResumable || isErrorReply(answer.json)
      const error = isOfServer ? errorOf(answer, answer.json) : storeError(answer)
      // The bytes of an interrupted attempt may have completed the file after `begin`. This invalidates the ticket.
      const finished = error.code === 'TICKET_NOT_VALID' && (await storedOf(ticket as UploadTicket, signal))
      if (finished) return finished
      throw error
    }
    // The server itself responds with the file. After an upload to another store, the server must be notified.
    const stored = fileEndpoints.complete.reply.safeParse(answer.json)
    return stored.success ? stored.data : complete(ticket as UploadTicket, signal)
  }

  return {
    async send(options) {
      for (let tries = 0; ; tries += 1) {
        try {
          return await sendOnce(options)
        } catch (error) {
          if (options.signal?.aborted) throw error
          const isPassing = error instanceof ApiError && passing.has(error.code)
          // The upload can continue once the user has signed in at the proxy again.
          if (!isPassing && !isOfProxy(error)) ticket = undefined
          const wait = waits[tries]
          if (!isPassing) throw error
          if (error.code === 'UPLOAD_RUNNING') {
            // The earlier transfer of this file. After a crash of the server its hold expires.
            await pause(Math.min(heldPause, (error.retryAfter ?? Infinity) * 1000), options.signal)
          } else if (wait !== undefined) await pause(wait, options.signal)
          // Behind a proxy without WebSockets, or at another address, the connection would never become ready.
          else if (hasConnected() && connection.get() !== 'ready' && connection.get() !== 'closed') {
            await connected(options.signal)
            tries = -1
          } else throw error
        }
      }
    },
  }
}

const complete = ({ filename }: UploadTicket, signal: AbortSignal | undefined) =>
  api(fileEndpoints.complete, { params: { filename }, ...(signal !== undefined && { signal }) })

/** Undefined if the file is not complete. */
const storedOf = (ticket: UploadTicket, signal: AbortSignal | undefined) =>
  complete(ticket, signal).catch((error: unknown) => {
    if (error instanceof ApiError && error.status >= 400 && error.status < 500 && !isPassedOn(error))
      return undefined
    throw error
  })

/** Undefined if the address has expired. */
async function offsetOf({ url }: UploadTicket, signal: AbortSignal | undefined): Promise<number | undefined> {
  const response = await fetch(url, {
    method: 'HEAD',
    cache: 'no-store',
    redirect: 'manual',
    signal: signal ?? null,
  }).catch((cause: unknown) => {
    if (signal?.aborted) throw cause
    throw new ApiError({ code: 'NETWORK', status: 0, message: texts.network, cause })
  })
  const offset = response.headers.get('upload-offset')
  if (offset !== null && response.ok) {
    const retryAfter = secondsOf(response.headers)
    if (retryAfter === undefined) return Number(offset)
    // Some browsers lose the rejection of a body that they are still sending.
    throw new ApiError({ code: 'UPLOAD_RUNNING', status: 409, message: texts.network, retryAfter })
  }
  // An answer to HEAD has no body. The errors of the server are of this type.
  if (/\bjson\b/.test(response.headers.get('content-type') ?? '')) return undefined
  throw foreignAnswer(response)
}

/** Returns whether the error is unrelated to the upload. */
const isPassedOn = (error: ApiError) => error.code === 'NETWORK' || isOfProxy(error)

/** The error of another store than the server. */
function storeError(answer: AnswerHead): ApiError {
  const { status } = answer
  return status >= 500
    ? foreignAnswer(answer)
    : new ApiError({ code: 'STORE_REFUSED', status, message: texts.storeRefused })
}

/** Resolves when the live connection is back: the server answers again. */
async function connected(signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const stop = connection.subscribe(() => {
      if (connection.get() !== 'ready') return
      stop()
      resolve()
    })
    signal?.addEventListener('abort', () => {
      stop()
      reject(signal.reason as Error)
    })
  })
}

async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const end = setTimeout(resolve, milliseconds)
    signal?.addEventListener('abort', () => {
      clearTimeout(end)
      reject(signal.reason as Error)
    })
  })
}
