import { apiBase, type Endpoint, type ErrorReply, type ReplyOf } from '@pult/contract'
import type { AnyInput, CallArguments } from '@pult/sdk/host'
import { ApiError } from './api-error.ts'
import { takeAnswer } from './head-start.ts'
import { locale } from './locale.ts'
import { texts } from './platform.texts.ts'
import { tokenWasRefused } from './session.ts'
import { storage } from './storage.ts'

/** A server that has not answered by then counts as unreachable. */
const patience = 30_000

/**
 * Makes one call of the API. Throws an {@link ApiError}.
 *
 * @example const { items } = await api(projectEndpoints.list)
 */
export async function api<E extends Endpoint>(endpoint: E, ...[call]: CallArguments<E>): Promise<ReplyOf<E>> {
  const { params = {}, query = {}, body, signal, ...how } = (call ?? {}) as AnyInput
  const token = storage.token.read()
  const headers = new Headers({ ...how.headers, accept: 'application/json', 'accept-language': locale })
  if (token !== null) headers.set('authorization', `Bearer ${token}`)
  if (how.background === true) headers.set('x-pult-background', '1')
  if (how.revision !== undefined) headers.set('if-match', `"${how.revision}"`)
  if (how.idempotencyKey !== undefined) headers.set('idempotency-key', how.idempotencyKey)
  if (body !== undefined) headers.set('content-type', 'application/json')

  const timeout = AbortSignal.timeout(patience)
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
    })
  const response = await answer.catch((cause: unknown) => {
    if (signal?.aborted) throw cause
    throw new ApiError({ code: 'NETWORK', status: 0, message: texts.network, cause })
  })

  const json: unknown = await (early?.json ?? response.json()).catch(() => undefined)
  if (!response.ok) {
    const error = errorOf(response, json)
    if (error.code === 'UNAUTHENTICATED' && token !== null) tokenWasRefused(token)
    throw error
  }
  const reply = endpoint.reply.safeParse(json)
  if (reply.success) return reply.data as ReplyOf<E>
  throw new ApiError({
    code: 'UNREADABLE',
    status: response.status,
    message: texts.unreadable,
    cause: reply.error,
  })
}

/** Where a call goes. */
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

/** Why the server refused something. */
export function errorOf(response: Pick<Response, 'status' | 'headers'>, json: unknown): ApiError {
  const { status } = response
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  const retryAfter = Number.isFinite(seconds) ? seconds : undefined
  return isErrorReply(json)
    ? new ApiError({ ...json, status, retryAfter })
    : new ApiError({ code: 'UNREADABLE', status, message: texts.unreadable, retryAfter })
}

function isErrorReply(json: unknown): json is ErrorReply {
  return typeof json === 'object' && json !== null && 'code' in json && 'message' in json
}
