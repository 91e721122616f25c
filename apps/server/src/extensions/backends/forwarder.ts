import type { Readable } from 'node:stream'
import type { Agent, Dispatcher } from 'undici'
import { AppError } from '#platform/app-error.ts'
import { isAllowedUrl, lookupAllowed, type Resolve } from './backend-destination.ts'

interface ForwarderLimits {
  /** Milliseconds to connect to a service. */
  connect: number
  /** Milliseconds to the begin of its answer, and without a further byte of it. */
  silence: number
  /** Milliseconds to the end of its answer. A caller that reads nothing must not occupy the service for longer. */
  whole: number
  answerBytes: number
  /** Concurrent calls of one app. */
  callsOfApp: number
  /** Those of one person, in all projects together, so that one person cannot take all places of an app. */
  callsOfPerson: number
}

const defaultLimits: ForwarderLimits = {
  connect: 5000,
  silence: 30_000,
  whole: 900_000,
  answerBytes: 50 * 1024 * 1024,
  callsOfApp: 50,
  callsOfPerson: 10,
}

export interface ForwardedCall {
  app: string
  personId: string
  url: URL
  /** Root has allowed http for the address of the service. */
  allowsHttp: boolean
  method: string
  headers: Record<string, string>
  body: Buffer | null
  /** Aborts when the caller disconnects. */
  gone: AbortSignal
}

export interface ForwardedAnswer {
  status: number
  headers: Dispatcher.ResponseData['headers']
  body: Readable
}

/**
 * Forwards calls to services. Redirects are returned unchanged, and calls are never retried.
 *
 * @param resolve resolves the names of services, by default with the system
 */
export function createForwarder(limits = defaultLimits, resolve?: Resolve) {
  const { connect, silence, whole, answerBytes, callsOfApp, callsOfPerson } = limits
  const pools = new Map<string, Agent>()
  /** One entry for each call of an app: the id of its person. */
  const underWay = new Map<string, string[]>()

  function begin(app: string, personId: string): () => void {
    const calls = underWay.get(app) ?? []
    const own = calls.filter((id) => id === personId).length
    if (calls.length >= callsOfApp || own >= callsOfPerson) throw new AppError('BUSY', { retryAfter: 1 })
    calls.push(personId)
    underWay.set(app, calls)
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      calls.splice(calls.indexOf(personId), 1)
      if (calls.length === 0) underWay.delete(app)
    }
  }

  return {
    async forward({
      app,
      personId,
      url,
      allowsHttp,
      method,
      headers,
      body,
      gone,
    }: ForwardedCall): Promise<ForwardedAnswer> {
      const end = begin(app, personId)
      try {
        if (!isAllowedUrl(url, allowsHttp)) throw new AppError('BACKEND_UNREACHABLE')
        const { Agent: Pool, request } = await undici()
        const protocol = url.protocol === 'https:' ? 'https:' : 'http:'
        // A call must not reuse a connection that only the consent for another address allowed.
        const pool = `${protocol} ${allowsHttp}`
        const dispatcher =
          pools.get(pool) ??
          new Pool({
            connect: { timeout: connect, lookup: lookupAllowed(protocol, allowsHttp, resolve) },
            headersTimeout: silence,
            bodyTimeout: silence,
            maxResponseSize: answerBytes,
          })
        pools.set(pool, dispatcher)
        const answer = await request(url, {
          dispatcher,
          method,
          headers,
          body,
          signal: AbortSignal.any([AbortSignal.timeout(whole), gone]),
        })
        const length = Number(answer.headers['content-length'] ?? 0)
        const isTooLarge = length > answerBytes && method !== 'HEAD'
        // A status above 599 is not valid HTTP and cannot be forwarded.
        if (isTooLarge || answer.statusCode > 599) {
          answer.body.on('error', () => {}).destroy()
          throw new AppError(
            'BACKEND_UNREACHABLE',
            isTooLarge ? { message: 'The answer of this app’s service is too large' } : {},
          )
        }
        answer.body.once('close', end)
        return { status: answer.statusCode, headers: answer.headers, body: answer.body }
      } catch (error) {
        end()
        throw refusalOf(error)
      }
    },

    stop: async () => {
      for (const pool of pools.values()) await pool.destroy()
    },
  }
}
/** Lazy: most installations have no service, and the module takes 15 MB. */
const undici = () => import('undici')

export type Forwarder = ReturnType<typeof createForwarder>

function refusalOf(error: unknown): AppError {
  if (error instanceof AppError) return error
  const isLate =
    error instanceof Error && (error.name === 'HeadersTimeoutError' || error.name === 'TimeoutError')
  const refusal = new AppError(isLate ? 'BACKEND_TIMED_OUT' : 'BACKEND_UNREACHABLE')
  refusal.cause = error
  return refusal
}
