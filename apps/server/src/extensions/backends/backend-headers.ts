import type { IncomingHttpHeaders } from 'node:http'
import { forwardedContext } from '#platform/request-context.ts'

/*
 * Allowlists of the headers that reach a service and of those that reach the caller. Tokens, cookies, connection
 * headers and proxy headers are never forwarded.
 */

const ofCall = [
  'accept',
  'accept-encoding',
  'accept-language',
  'content-encoding',
  'content-language',
  'content-type',
  'idempotency-key',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'if-unmodified-since',
  'range',
]

const ofAnswer = [
  'accept-ranges',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-length',
  'content-range',
  'content-type',
  'etag',
  'last-modified',
  'retry-after',
]

/** Types that a browser shows without running content. All others are sent as downloads. */
const shown = /^(?:application\/(?:[\w.-]+\+)?json|text\/plain|image\/(?!svg)[\w.+-]+)\s*(?:;|$)/i

/** Returns the headers for the service, with the request id and the trace of the call. */
export const headersOfCall = (headers: IncomingHttpHeaders): Record<string, string> => ({
  ...pick(headers, ofCall),
  ...forwardedContext(),
})

/** Returns the headers for the caller. They prevent content of a service from running with the console's origin. */
export function headersOfAnswer(headers: IncomingHttpHeaders): Record<string, string> {
  const answer = pick(headers, ofAnswer)
  const { 'content-type': type = 'application/octet-stream', 'content-disposition': disposition = '' } =
    answer
  const isFile = !shown.test(type) || /^attachment\b/i.test(disposition)
  const { 'content-disposition': _, ...others } = answer
  return {
    ...others,
    'content-type': type,
    ...(isFile && {
      'content-disposition': /^attachment\b/i.test(disposition) ? disposition : 'attachment',
    }),
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
  }
}

const pick = (headers: IncomingHttpHeaders, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = headers[name]
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )
