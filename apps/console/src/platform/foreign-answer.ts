import { ApiError } from './api-error.ts'
import { texts } from './platform.texts.ts'
import { createStore } from './store.ts'

/**
 * True after an answer with which a proxy requests a sign-in, until the server itself answers again. Only a navigation
 * leads to the proxy's sign-in page.
 */
export const isProxySignInDue = createStore(false)

export interface AnswerHead {
  status: number
  headers: Headers
  /** `opaqueredirect`: the answer was a redirect, and the API of the server has none. */
  type?: ResponseType
}

/** Answers with which proxies reject the size of a request, its address or its headers. 494 is nginx's. */
const tooLarge = new Set([413, 414, 431, 494])

/** Answers with which proxies request a sign-in. 511 is sent by the sign-in of a network. */
const signInDue = new Set([401, 407, 511])

/**
 * Answers of proxies for a server that does not answer or has no route yet: Traefik sends 404 while a container
 * restarts, HAProxy 408, Cloudflare 520 to 530.
 */
const isUnreachable = (status: number) =>
  status === 404 || status === 408 || (status >= 500 && status !== 501 && status !== 505)

/**
 * Classifies an answer that is not one of the API: proxies send pages, redirects, or nothing. The body of an answer
 * without an error status is cut off, or empty, or a page.
 */
export function foreignAnswer({ status, headers, type }: AnswerHead): ApiError {
  const retryAfter = secondsOf(headers)
  const error = (code: string, message: string) => new ApiError({ code, status, message, retryAfter })
  const isPage = status >= 200 && status < 400 && !isCutOff(status, headers)
  const asksForSignIn = isPage || signInDue.has(status)
  // The service of an app has answered, through the server.
  if (asksForSignIn && isOfServer({ status, headers })) return error('UNREADABLE', texts.unreadable)
  if (type === 'opaqueredirect' || asksForSignIn) return proxySignIn({ status, headers })
  if (status < 400 || isUnreachable(status)) return error('NETWORK', texts.unreachable)
  if (tooLarge.has(status)) return error('PROXY_TOO_LARGE', texts.proxyTooLarge)
  if (status === 429) return error('PROXY_BUSY', texts.proxyBusy)
  return error('PROXY_REFUSED', texts.proxyRefused)
}

/** The error of an answer with which a proxy requests a sign-in. */
export function proxySignIn({ status, headers }: AnswerHead): ApiError {
  isProxySignInDue.set(true)
  return new ApiError({
    code: 'PROXY_SIGN_IN',
    status,
    message: texts.proxySignIn,
    retryAfter: secondsOf(headers),
  })
}

/**
 * Returns whether the answer carries the mark of the server: an `x-request-id` with a UUID v7. Other servers use this
 * header with other values, and a proxy may remove it, so only answers that violate the contract are judged by it.
 */
export const isOfServer = ({ headers }: AnswerHead): boolean =>
  /^[\da-f]{8}-[\da-f]{4}-7/.test(headers.get('x-request-id') ?? '')

/** Returns whether the body of a success was lost, instead of replaced by a page. */
function isCutOff(status: number, headers: Headers): boolean {
  const contentType = headers.get('content-type')
  return (
    status === 204 ||
    contentType === null ||
    /\bjson\b/i.test(contentType) ||
    headers.get('content-length') === '0'
  )
}

export function secondsOf(headers: Headers): number | undefined {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) ? seconds : undefined
}

/** Returns whether a proxy has answered instead of the server, so the answer is unrelated to session and record. */
export const isOfProxy = (error: unknown): boolean =>
  error instanceof ApiError && error.code.startsWith('PROXY_')

/** Returns whether only a reload helps, because it leads to the sign-in page of a proxy. */
export const needsReload = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'PROXY_SIGN_IN'
