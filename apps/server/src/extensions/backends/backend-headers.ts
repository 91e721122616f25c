import type { IncomingHttpHeaders } from 'node:http'

/*
 * What of a call reaches a service, and what of its answer reaches the caller: these headers and no others. So nobody's
 * token or cookie, nothing about the connection and nothing that a proxy would be believed gets through.
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

/** What a browser shows as it is without running anything of it. Everything else is a file to be saved. */
const shown = /^(?:application\/(?:[\w.-]+\+)?json|text\/plain|image\/(?!svg)[\w.+-]+)\s*(?:;|$)/i

export const headersOfCall = (headers: IncomingHttpHeaders): Record<string, string> => pick(headers, ofCall)

/** Nothing of a service's answer may run as if it came from the console's own address. */
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
