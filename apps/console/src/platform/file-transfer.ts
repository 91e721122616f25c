import { apiBase, type Endpoint } from '@pult/contract'
import type { AnyInput, CallArguments, UploadOptions } from '@pult/sdk/host'
import { addressOf, errorOf, replyIn } from './api.ts'
import { ApiError } from './api-error.ts'
import { type AnswerHead, isOfServer, proxySignIn } from './foreign-answer.ts'
import { acceptLanguage } from './locale.ts'
import { texts } from './platform.texts.ts'
import { withRecentSignIn } from './recent-sign-in.ts'
import { handleRejectedToken } from './session.ts'
import { storage } from './storage.ts'
import { watchTransfer } from './transfer-watch.ts'

/*
 * Files to and from the API. The duration of a transfer has no limit, but an upload without progress counts as broken.
 * The session's token is sent in a header, which forms and links cannot set.
 */

/** Sends a file with `PUT`. Throws an {@link ApiError}, or the signal's reason. */
export function upload(path: string, file: Blob, options: UploadOptions): Promise<unknown> {
  return withRecentSignIn(() => send(path, file, options))
}

async function send(path: string, file: Blob, options: UploadOptions): Promise<unknown> {
  const { contentType, reply, ...how } = options
  const token = storage.token.read()
  const headers = {
    'content-type': contentType,
    ...(token !== null && { authorization: `Bearer ${token}` }),
  }
  const answer = await putBytes(apiBase + path, file, { headers, ...how })
  const isMissing = answer.json === undefined && reply?.safeParse(undefined).success === false
  if (!answer.isSuccess || isPage(answer.headers) || isMissing) throw refusal(answer, answer.json, token)
  return reply === undefined ? answer.json : replyIn(answer, answer.json, reply)
}

interface PutOptions extends Omit<UploadOptions, 'contentType' | 'reply'> {
  headers: Record<string, string>
  /** Subscribes to the return of the connection. Returns the unsubscribe function. */
  onConnected?: (listener: () => void) => () => void
}

/**
 * Uploads bytes to a URL and reports progress. Throws on a failed connection, on one that no longer moves, or the signal's
 * reason.
 */
export async function putBytes(
  url: string,
  bytes: Blob,
  { headers, onProgress, signal, onConnected }: PutOptions,
) {
  // XMLHttpRequest, because fetch reports no upload progress.
  const request = new XMLHttpRequest()
  const giveUp = () => request.abort()
  const watch = watchTransfer(giveUp)
  const stopListening = onConnected?.(watch.check)
  const unreachable = () => new ApiError({ code: 'NETWORK', status: 0, message: texts.network })
  const done = new Promise<void>((resolve, reject) => {
    request.open('PUT', url)
    request.setRequestHeader('accept', 'application/json')
    request.setRequestHeader('accept-language', acceptLanguage())
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.addEventListener('progress', ({ loaded, total, lengthComputable }) => {
      watch.moved()
      if (lengthComputable) onProgress?.(loaded / total)
    })
    request.upload.addEventListener('load', watch.sent)
    request.addEventListener('abort', () =>
      reject(signal?.aborted ? (signal.reason as Error) : unreachable()),
    )
    request.addEventListener('error', () => reject(unreachable()))
    request.addEventListener('load', () => resolve())
    signal?.addEventListener('abort', giveUp)
    if (signal?.aborted) reject(signal.reason as Error)
    else request.send(bytes)
  })
  await done.finally(() => {
    watch.end()
    stopListening?.()
    signal?.removeEventListener('abort', giveUp)
  })
  const { status } = request
  return {
    isSuccess: status >= 200 && status < 300,
    status,
    headers: headersOf(request),
    json: parsed(request.responseText),
  }
}

/** Saves a call's response as a download under the name that the server sends. Throws an {@link ApiError}. */
export function download<E extends Endpoint>(endpoint: E, ...input: CallArguments<E>): Promise<void> {
  return withRecentSignIn(() => fetchFile(endpoint, ...input))
}

async function fetchFile<E extends Endpoint>(endpoint: E, ...[input]: CallArguments<E>): Promise<void> {
  const { params = {}, query = {}, signal } = (input ?? {}) as AnyInput
  const token = storage.token.read()
  const response = await fetch(addressOf(endpoint.path, params, query), {
    method: endpoint.method,
    headers: {
      'accept-language': acceptLanguage(),
      ...(token !== null && { authorization: `Bearer ${token}` }),
    },
    signal: signal ?? null,
    cache: 'no-store',
    redirect: 'manual',
  }).catch((cause: unknown) => {
    if (signal?.aborted) throw cause
    throw new ApiError({ code: 'NETWORK', status: 0, message: texts.network, cause })
  })
  // All files of the server have a name. A service of an app may send one without.
  const isForeign = !response.headers.has('content-disposition') && !isOfServer(response)
  if (!response.ok || isForeign) {
    const json: unknown = await response.json().catch(() => undefined)
    throw response.ok && json !== undefined ? proxySignIn(response) : refusal(response, json, token)
  }
  // The browser stores a large response on disk while it arrives. An incomplete response is discarded.
  const file = await response.blob().catch((cause: unknown) => {
    throw new ApiError({ code: 'NETWORK', status: 0, message: texts.network, cause })
  })
  save(file, fileNameIn(response.headers.get('content-disposition') ?? ''))
}

/** The API has no pages, so a proxy has sent it. */
const isPage = (headers: Headers) => /\bhtml\b/i.test(headers.get('content-type') ?? '')

function refusal(response: AnswerHead, json: unknown, token: string | null): ApiError {
  const error = errorOf(response, json)
  // The service of an app may send the same code, but not with this status.
  const isRejected = error.code === 'UNAUTHENTICATED' && error.status === 401
  if (isRejected && token !== null) handleRejectedToken(token)
  return error
}

function headersOf(request: XMLHttpRequest): Headers {
  const lines = request.getAllResponseHeaders().trim().split(/\r\n/)
  return new Headers(
    lines.filter(Boolean).map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string]),
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** RFC 6266 4.3: the extended file name takes precedence. */
function fileNameIn(disposition: string): string {
  const [, extended] = /filename\*=UTF-8''([^;]+)/i.exec(disposition) ?? []
  const [, quoted, plain] = /filename=(?:"([^"]*)"|([^";]+))/i.exec(disposition) ?? []
  return (extended && decoded(extended)) ?? quoted ?? plain ?? ''
}

/** Undefined for a percent sign that encodes nothing: an app or a proxy may have written the header. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

function save(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Deferred, because some browsers start to read it a moment after the click.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
