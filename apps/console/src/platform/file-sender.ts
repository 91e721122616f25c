import { fileEndpoints, limits, type ResumedUpload, type StoredFile, type UploadTicket } from '@pult/contract'
import { type FileSender, type FileSenderOptions, isFinalRefusal } from '@pult/sdk/host'
import { api, errorOf } from './api.ts'
import { ApiError } from './api-error.ts'
import { checkReadable, fingerprintOf } from './file-fingerprint.ts'
import { putBytes } from './file-transfer.ts'
import { connection } from './realtime.ts'
import {
  findUnfinished,
  forgetUpload,
  holdUpload,
  recordSent,
  releaseUpload,
  rememberUpload,
} from './unfinished-uploads.ts'
import { completeUpload, receivedBytes, resumeUpload, storedUpload, storeError } from './upload-calls.ts'
import { deliver, pauseAfter, waitForConnection } from './upload-retries.ts'

/** Smaller files start again after a reload. */
const rememberedFrom = 1024 * 1024

/** Milliseconds between two records of the sent bytes. */
const recordInterval = 2000

/**
 * Milliseconds after which the server is asked for the next parts. It does not see the bytes, and the upload would expire
 * without this call.
 */
const partsFor = limits.uploadTicket / 3

/** Where an upload continues. */
interface Start {
  /** Bytes that have arrived. */
  received: number
  /** The next parts; null if the remaining bytes are sent in one piece. */
  parts: ResumedUpload['parts'] | null
}

type SendOptions = Parameters<FileSender['send']>[0]

/** Sends one file to the server or to the file store that the server names. */
export function createFileSender(file: File, { project, place = '' }: FileSenderOptions): FileSender {
  // Some systems know no type for a file. The server then stores it as bytes.
  const contentType = file.type.split(';')[0]?.trim().toLowerCase() || 'application/octet-stream'
  /** Name of the stored file. It survives a reload; the address does not. */
  let filename: string | undefined
  let ticket: UploadTicket | undefined
  let hasLooked = false
  let isSending = false
  let recordedAt = 0
  let sentBytes = 0

  async function create(signal: AbortSignal | undefined): Promise<Start> {
    forget()
    // A file that has vanished, with its disk or since it was chosen, has the size 0.
    if (file.size === 0) await checkReadable(file)
    const body = {
      // The end has the extension. It must not begin with a part of a character.
      filename: file.name.slice(-limits.fileNameMax).replace(/^[\p{M}\p{Cs}]+/u, '') || 'file',
      contentType,
      size: file.size,
      ...(project !== null && { project }),
    }
    ticket = await api(fileEndpoints.create, { body, ...(signal !== undefined && { signal }) })
    ;({ filename } = ticket)
    // Reading a large file takes a while, and the transfer reports what cannot be read.
    remember(filename).catch(() => {})
    const isInParts = ticket.partBytes !== null && file.size > ticket.partBytes
    const resumed = isInParts ? await resumeUpload(filename, signal) : undefined
    return { received: 0, parts: resumed?.parts ?? null }
  }

  async function remember(of: string): Promise<void> {
    if (file.size < rememberedFrom) return
    // The upload may have ended meanwhile.
    const digest = await fingerprintOf(file, () => filename === of)
    if (digest === null || filename !== of) return
    const { name, size, lastModified } = file
    rememberUpload({ filename: of, project, place, name, size, lastModified, digest, sent: sentBytes })
    if (!isSending) releaseUpload(of)
  }

  /** Returns the upload of this file that an earlier document has begun. */
  async function rememberedUpload(signal: AbortSignal | undefined): Promise<string | undefined> {
    if (hasLooked || file.size < rememberedFrom) return undefined
    hasLooked = true
    const found = findUnfinished(file, project)
    if (found.length === 0) return undefined
    const digest = await fingerprintOf(file, () => signal?.aborted !== true)
    signal?.throwIfAborted()
    return found.find((upload) => upload.digest === digest)?.filename
  }

  function forget(): void {
    if (filename !== undefined) forgetUpload(filename)
    filename = undefined
    ticket = undefined
    sentBytes = 0
  }

  /** Returns where to continue, or the stored file if the upload has completed but its response was lost. */
  async function begin(signal: AbortSignal | undefined): Promise<Start | StoredFile> {
    filename ??= await rememberedUpload(signal)
    if (filename === undefined) return create(signal)
    holdUpload(filename)
    const isWhole = ticket !== undefined && !ticket.isResumable && ticket.partBytes === null
    if (ticket?.isResumable) {
      const received = await receivedBytes(ticket, signal)
      if (received !== undefined) return { received, parts: null }
    } else if (isWhole) {
      const stored = await storedUpload(filename, signal)
      if (stored !== undefined) return stored
    }
    const resumed = await resumeUpload(filename, signal)
    if (resumed !== undefined) {
      ticket = resumed
      const { received, parts, partBytes } = resumed
      return { received, parts: partBytes === null ? null : parts }
    }
    // An earlier attempt may have completed it, which uses up the ticket. Otherwise the bytes are gone.
    return (await storedUpload(filename, signal)) ?? create(signal)
  }

  /** Sends the missing bytes, or the next of them. Returns the file once it is complete. */
  async function transfer(start: Start, options: SendOptions): Promise<StoredFile | undefined> {
    const { signal } = options
    const { url, headers, isResumable, filename: name } = ticket as UploadTicket
    if (start.parts?.length === 0) return completeUpload(name, signal)
    if (start.parts !== null) {
      let { received } = start
      const until = Date.now() + partsFor
      for (const { url: address, first, end } of start.parts) {
        if (Date.now() > until) break
        await put(address, { first, end, received }, { headers: {}, options, isResumable: false })
        received += end - first
      }
      return undefined
    }
    const { received } = start
    const range = `bytes ${received}-${file.size - 1}/${file.size}`
    const json = await put(
      url,
      { first: received, end: file.size, received },
      { headers: { ...headers, ...(received > 0 && { 'content-range': range }) }, options, isResumable },
    )
    // The server itself responds with the file. After an upload to another store, the server must be notified.
    const stored = fileEndpoints.complete.reply.safeParse(json)
    return stored.success ? stored.data : completeUpload(name, signal)
  }

  /** Sends one range of the file. Throws for every answer that is not a success. */
  async function put(
    url: string,
    { first, end, received }: { first: number; end: number; received: number },
    how: { headers: Record<string, string>; options: SendOptions; isResumable: boolean },
  ): Promise<unknown> {
    const { onProgress, signal } = how.options
    const answer = await putBytes(url, file.slice(first, end), {
      headers: how.headers,
      onProgress: (share) => {
        const sent = received + share * (end - first)
        onProgress?.(file.size === 0 ? 1 : sent / file.size)
        record(sent)
      },
      onConnected: whenConnected,
      ...(signal !== undefined && { signal }),
    })
    if (answer.isSuccess) return answer.json
    throw (how.isResumable ? undefined : storeError(answer, answer.json)) ?? errorOf(answer, answer.json)
  }

  function record(sent: number): void {
    sentBytes = Math.floor(sent)
    const now = Date.now()
    if (filename === undefined || now - recordedAt < recordInterval) return
    recordedAt = now
    recordSent(filename, sentBytes)
  }

  async function send(options: SendOptions): Promise<StoredFile> {
    const { signal, onProgress, onWaiting } = options
    /** Transfers that failed although the server could be reached, since the last one that delivered bytes. */
    let failures = 0
    /** Consecutive calls that failed before a transfer. */
    let outages = 0
    let last = -1
    for (;;) {
      let isReached = false
      try {
        const start = await begin(signal)
        if (!('received' in start)) return start
        isReached = true
        outages = 0
        if (start.received > last) failures = 0
        last = start.received
        onProgress?.(file.size === 0 ? 0 : start.received / file.size)
        onWaiting?.(false)
        const stored = await transfer(start, options)
        if (stored !== undefined) return stored
      } catch (caught) {
        if (signal?.aborted) throw caught
        const error = isReached ? await causeOf(caught) : caught
        const isHeld = error instanceof ApiError && error.code === 'UPLOAD_RUNNING'
        if (!isReached) outages += 1
        else if (!isHeld) failures += 1
        const pause = pauseAfter(error, { failures, outages })
        if (pause === null) throw error
        onWaiting?.(true)
        await waitForConnection(pause, signal)
      }
    }
  }

  /** A browser reports a file that it can no longer read like a broken connection. */
  async function causeOf(error: unknown): Promise<unknown> {
    if (!(error instanceof ApiError) || error.code !== 'NETWORK') return error
    return checkReadable(file).then(
      () => error,
      (cause: unknown) => cause,
    )
  }

  return {
    async send(options) {
      isSending = true
      try {
        const stored = await send(options)
        forget()
        return stored
      } catch (error) {
        if (isFinalRefusal(error)) forget()
        throw error
      } finally {
        isSending = false
        if (filename !== undefined) releaseUpload(filename)
      }
    },
    deliver,
    forget,
  }
}

function whenConnected(listener: () => void): () => void {
  return connection.subscribe(() => {
    if (connection.get() === 'ready') listener()
  })
}
