import {
  apiBase,
  deviceHeader,
  type Endpoint,
  type ErrorReply,
  positionHeader,
  type ReplyOf,
} from '@pult/contract'
import type { AnyInput, CallArguments } from '@pult/sdk/host'
import { noteRead } from '@pult/sdk/read-position'
import { ApiError } from './api-error.ts'
import { takeAnswer } from './early-requests.ts'
import {
  type AnswerHead,
  foreignAnswer,
  isOfServer,
  isProxySignInDue,
  proxySignIn,
  secondsOf,
} from './foreign-answer.ts'
import { acceptLanguage } from './locale.ts'
import { texts } from './platform.texts.ts'
import { withRecentSignIn } from './recent-sign-in.ts'
import { compareClocks } from './server-clock.ts'
import { handleRejectedToken } from './session.ts'
import { storage } from './storage.ts'

/** Paths of the calls that count failed passwords or open a session. They identify this browser to the server. */
const recognised = /^\/(?:auth|bift|me\/account\/password)(?:\/|$)/

/** Timeout after which the server counts as unreachable. */
const callTimeout = 30_000

/**
 * Makes one API call, with a step-up authentication if the server requires a recent sign-in. Throws an {@link
 * ApiError}.
 *
 * @example const { items } = await api(projectEndpoints.list)
 */
export function api<E extends Endpoint>(endpoint: E, ...call: CallArguments<E>): Promise<ReplyOf<E>> {
  return withRecentSignIn(() => send(endpoint, ...call))
}

async function send<E extends Endpoint>(endpoint: E, ...[call]: CallArguments<E>): Promise<ReplyOf<E>> {
  const { params = {}, query = {}, body, signal, ...how } = (call ?? {}) as AnyInput
  const token = storage.token.read()
  const headers = new Headers({
    ...how.headers,
    accept: 'application/json',
    'accept-language': how.language ?? acceptLanguage(),
  })
  if (token !== null) headers.set('authorization', `Bearer ${token}`)
  if (recognised.test(endpoint.path)) headers.set(deviceHeader, deviceSecret())
  if (how.background === true) headers.set('x-pult-background', '1')
  if (how.revision !== undefined) headers.set('if-match', `"${how.revision}"`)
  if (how.idempotencyKey !== undefined) headers.set('idempotency-key', how.idempotencyKey)
  if (body !== undefined) headers.set('content-type', 'application/json')

  const timeout = AbortSignal.timeout(callTimeout)
  const address = addressOf(endpoint.path, params, query)
  const early = takeAnswer(endpoint.method, address)
  const answer =
    early?.response ??
    fetch(address, {
      method: endpoint.method,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      cache: 'no-store',
      redirect: 'manual',
    })
  const noAnswer = (cause: unknown) =>
    signal?.aborted ? cause : new ApiError({ code: 'NETWORK', status: 0, message: texts.network, cause })
  const response = await answer.catch((cause: unknown) => {
    throw noAnswer(cause)
  })
  // An early answer may have waited for this call.
  if (early === undefined) compareClocks(response.headers)

  const json: unknown = await (early?.json ?? response.json()).catch((cause: unknown) => {
    if (cause instanceof SyntaxError) return undefined
    // The connection was lost during the response.
    throw noAnswer(cause)
  })
  // A service of an app may send an empty answer that its endpoint permits.
  const isMissing = json === undefined && !endpoint.reply.safeParse(undefined).success
  if (!response.ok || isMissing) {
    const error = errorOf(response, json)
    // The service of an app may send the same code, but the server passes none of its answers with this status on.
    const isRejected = error.code === 'UNAUTHENTICATED' && error.status === 401
    if (isRejected && token !== null) handleRejectedToken(token)
    throw error
  }
  const reply = replyIn(response, json, endpoint.reply) as ReplyOf<E>
  if (endpoint.method === 'GET') noteRead(reply, response.headers.get(positionHeader))
  return reply
}

/** Returns the reply in a successful answer. Throws if it violates the contract, or if a proxy has sent it. */
export function replyIn(answer: AnswerHead, json: unknown, schema: Endpoint['reply']): unknown {
  const reply = schema.safeParse(json)
  // Gateways and captive portals also answer 200 with their own JSON.
  if (!reply.success && !isOfServer(answer)) throw proxySignIn(answer)
  isProxySignInDue.set(false)
  if (reply.success) return reply.data
  throw new ApiError({
    code: 'UNREADABLE',
    status: answer.status,
    message: texts.unreadable,
    cause: reply.error,
  })
}

/** Returns the URL of a call. */
export function addressOf(
  path: string,
  params: Record<string, string>,
  query: NonNullable<AnyInput['query']>,
): string {
  const filled = path.replace(/:(\w+)/g, (_match, name: string) => encodeURIComponent(params[name] ?? ''))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value))
  return `${apiBase}${filled}${search.size > 0 ? `?${search}` : ''}`
}

/** Returns the server's error, or that of a proxy that has answered instead. `json` is undefined for a body that is no JSON. */
export function errorOf(answer: AnswerHead, json: unknown): ApiError {
  if (!isErrorReply(json)) return foreignAnswer(answer)
  isProxySignInDue.set(false)
  return new ApiError({ ...json, status: answer.status, retryAfter: secondsOf(answer.headers) })
}

/** Gateways also send JSON errors, but with other fields or a number as their code. */
export function isErrorReply(json: unknown): json is ErrorReply {
  if (typeof json !== 'object' || json === null || !('code' in json) || !('message' in json)) return false
  return typeof json.code === 'string' && typeof json.message === 'string'
}

/** 256 random bits in base64url, generated once in each browser. */
function deviceSecret(): string {
  const known = storage.device.read()
  if (known !== null) return known
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  const secret = btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=+$/, '')
  storage.device.write(secret)
  return secret
}
