import { randomBytes } from 'node:crypto'
import { type Log, printable } from './log.ts'
import { type RequestContext, readTraceparent, type Trace, type TracedStatements } from './request-context.ts'

/*
 * Sends a span for each request and for its statements to a collector, as OTLP over HTTP with JSON:
 * https://opentelemetry.io/docs/specs/otlp/#otlphttp. Loaded only when a collector is set. The official packages
 * would add many packages and patch the driver of the database (decision records 108 and 245).
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

/** Milliseconds between two batches, and spans that are sent earlier. */
const batchInterval = 5000
const batchSize = 512

/** Spans beyond this are dropped until the collector answers again. */
const waitingMax = 2048

const sendTimeout = 5000

/** Characters of the text of a statement. */
const textMost = 2000

const attribute = (key: string, value: string | number) => ({
  key,
  value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
})

const nanoseconds = (milliseconds: number) => String(Math.round(milliseconds * 1000) * 1000)

const newSpanId = () => randomBytes(8).toString('hex')

/** Values are parameters, but a text can contain constants. */
const withoutConstants = (text: string) =>
  text
    .replace(/--[^\n]*|'(?:[^']|'')*'/g, (found) => (found.startsWith('-') ? '' : "'?'"))
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, textMost)

/** Returns the spans of statements. `ahead` is the time of day less that of the process, in milliseconds. */
const spansOf = ({ first }: TracedStatements, { id, parent }: Trace, ahead: number) =>
  first.map(({ text, begun, milliseconds, code }) => ({
    traceId: id,
    spanId: newSpanId(),
    parentSpanId: parent,
    name: /\w+/.exec(text)?.[0] ?? 'statement',
    // A client span.
    kind: 3,
    startTimeUnixNano: nanoseconds(ahead + begun),
    endTimeUnixNano: nanoseconds(ahead + begun + milliseconds),
    attributes: [
      attribute('db.system.name', 'postgresql'),
      attribute('db.query.text', withoutConstants(text)),
      ...(code === undefined ? [] : [attribute('error.type', code || '_OTHER')]),
    ],
    status: code === undefined ? {} : { code: 2 },
  }))

/** A collector accepts a batch with 200 and names the spans that it has rejected. */
async function refuseRejected(answer: Response): Promise<void> {
  const { partialSuccess } = (await answer.json().catch(() => ({}))) as {
    partialSuccess?: { rejectedSpans?: string | number; errorMessage?: string }
  }
  const rejected = Number(partialSuccess?.rejectedSpans ?? 0)
  if (rejected > 0)
    throw new Error(
      `the collector rejected ${rejected} spans: ${printable(partialSuccess?.errorMessage ?? '')}`,
    )
}

export function createTracing({ endpoint, headers, serviceName, ratio }: TracingConfig, log: Log) {
  const url = `${endpoint.replace(/\/$/, '')}/v1/traces`
  let waiting: object[] = []
  let isFailing = false
  let isDue = false
  let sending = Promise.resolve()

  async function send(): Promise<void> {
    isDue = false
    const spans = waiting
    if (spans.length === 0) return
    waiting = []
    const resource = { attributes: [attribute('service.name', serviceName)] }
    const body = { resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'pult' }, spans }] }] }
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(sendTimeout),
      })
      if (!answer.ok) throw new Error(`the collector answered ${answer.status}`)
      await refuseRejected(answer)
      isFailing = false
    } catch (err) {
      if (!isFailing)
        log.warn({ err }, 'traces could not be sent; they are dropped until the collector answers')
      isFailing = true
    }
  }

  const sendSoon = () => {
    if (!isDue) sending = sending.then(send)
    isDue = true
    return sending
  }
  const timer = setInterval(() => void sendSoon(), batchInterval).unref()

  return {
    /** Begins a span, as a child of the caller's if the request carries one. */
    begin: (received: Trace | undefined): Trace => {
      const isSampled = received?.isSampled ?? Math.random() < ratio
      return {
        id: received?.id ?? randomBytes(16).toString('hex'),
        parent: newSpanId(),
        isSampled,
        ...(isSampled && { statements: { first: [], more: 0, waited: 0 } }),
      }
    },

    end({ id, trace }: RequestContext, { parent, method, route, status, elapsedTime }: EndedRequest): void {
      if (trace?.statements === undefined || waiting.length >= waitingMax) return
      const present = performance.now()
      const ahead = Date.now() - present
      const parentSpanId = readTraceparent(parent)?.parent
      const { more, waited } = trace.statements
      const span = {
        traceId: trace.id,
        spanId: trace.parent,
        ...(parentSpanId !== undefined && { parentSpanId }),
        name: `${method} ${route}`,
        // A server span.
        kind: 2,
        startTimeUnixNano: nanoseconds(ahead + present - elapsedTime),
        endTimeUnixNano: nanoseconds(ahead + present),
        attributes: [
          attribute('http.request.method', method),
          attribute('http.route', route),
          attribute('http.response.status_code', status),
          attribute('pult.request_id', id),
          attribute('pult.pool_wait_ms', Math.round(waited)),
          ...(more === 0 ? [] : [attribute('pult.statements_not_recorded', more)]),
        ],
        // Only faults of the server count as errors.
        status: status >= 500 ? { code: 2 } : {},
      }
      waiting.push(span, ...spansOf(trace.statements, trace, ahead))
      waiting.length = Math.min(waiting.length, waitingMax)
      if (waiting.length >= batchSize) void sendSoon()
    },

    async stop(): Promise<void> {
      clearInterval(timer)
      await sendSoon()
    },
  }
}
export type Tracing = ReturnType<typeof createTracing>
