import { randomBytes } from 'node:crypto'
import type { Log } from './log.ts'
import { type RequestContext, readTraceparent } from './request-context.ts'

/*
 * Sends a span for each request to a collector, as OTLP over HTTP with JSON:
 * https://opentelemetry.io/docs/specs/otlp/#otlphttp. Loaded only when a collector is set. The official packages
 * would add many packages, for spans of queries and calls that are not needed (decision record 108).
 */

export interface TracingConfig {
  /** The base address of the collector. */
  endpoint: string
  /** Sent with each batch, for example an API key. */
  headers: Readonly<Record<string, string>>
  serviceName: string
  /** The share of traces without a caller that are recorded, 0 to 1. */
  ratio: number
}

export interface EndedRequest {
  /** The `traceparent` that the request carried. */
  parent: unknown
  method: string
  route: string
  status: number
  /** Milliseconds. */
  elapsedTime: number
}

type Trace = NonNullable<RequestContext['trace']>

/** Milliseconds between two batches. */
const batchInterval = 5000

/** Spans beyond this are dropped until the collector answers again. */
const waitingMax = 2048

const sendTimeout = 5000

const attribute = (key: string, value: string | number) => ({
  key,
  value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
})

const nanoseconds = (milliseconds: number) => String(Math.round(milliseconds * 1000) * 1000)

export function createTracing({ endpoint, headers, serviceName, ratio }: TracingConfig, log: Log) {
  const url = `${endpoint.replace(/\/$/, '')}/v1/traces`
  let waiting: object[] = []
  let isFailing = false
  let sending = Promise.resolve()

  async function send(): Promise<void> {
    const spans = waiting
    if (spans.length === 0) return
    waiting = []
    const resource = { attributes: [attribute('service.name', serviceName)] }
    const body = { resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'pult' }, spans }] }] }
    try {
      const { ok, status } = await fetch(url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(sendTimeout),
      })
      if (!ok) throw new Error(`the collector answered ${status}`)
      isFailing = false
    } catch (err) {
      if (!isFailing)
        log.warn({ err }, 'traces could not be sent; they are dropped until the collector answers')
      isFailing = true
    }
  }

  const sendSoon = () => {
    sending = sending.then(send)
    return sending
  }
  const timer = setInterval(() => void sendSoon(), batchInterval).unref()

  return {
    /** Begins a span, as a child of the caller's if the request carries one. */
    begin: (received: Trace | undefined): Trace => ({
      id: received?.id ?? randomBytes(16).toString('hex'),
      parent: randomBytes(8).toString('hex'),
      isSampled: received?.isSampled ?? Math.random() < ratio,
    }),

    end({ id, trace }: RequestContext, { parent, method, route, status, elapsedTime }: EndedRequest): void {
      if (trace === undefined || waiting.length >= waitingMax) return
      const now = Date.now()
      const parentSpanId = readTraceparent(parent)?.parent
      waiting.push({
        traceId: trace.id,
        spanId: trace.parent,
        ...(parentSpanId !== undefined && { parentSpanId }),
        name: `${method} ${route}`,
        // A server span.
        kind: 2,
        startTimeUnixNano: nanoseconds(now - elapsedTime),
        endTimeUnixNano: nanoseconds(now),
        attributes: [
          attribute('http.request.method', method),
          attribute('http.route', route),
          attribute('http.response.status_code', status),
          attribute('pult.request_id', id),
        ],
        // Only faults of the server count as errors.
        status: status >= 500 ? { code: 2 } : {},
      })
    },

    async stop(): Promise<void> {
      clearInterval(timer)
      await sendSoon()
    },
  }
}
export type Tracing = ReturnType<typeof createTracing>
