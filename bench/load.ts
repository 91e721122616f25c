import autocannon from 'autocannon'
import { percentile } from './measure.ts'

export interface Target {
  url: string
  /** Of who calls; several are shared out among the connections. */
  tokens?: readonly string[]
  /** One for each connection; the calls are then POSTs. */
  bodies?: unknown[]
  /** What a connection sends, each time something else; the calls are then PUTs. */
  changeOf?: (connection: number, count: number) => { token: string; body: unknown }
}

export interface LoadResult {
  perSecond: number
  /** Milliseconds. */
  p50: number
  p99: number
}

export const connections = 10

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

/** Keeps every connection busy for so many seconds. A refusal is no result: it fails the measurement. */
export async function load(
  { url, tokens = [], bodies, changeOf }: Target,
  seconds: number,
): Promise<LoadResult> {
  const json = { 'content-type': 'application/json' }
  let next = 0
  const run = autocannon({
    url,
    duration: seconds,
    connections,
    method: changeOf !== undefined ? 'PUT' : bodies !== undefined ? 'POST' : 'GET',
    ...(tokens.length > 0 && {
      setupClient: (client) => client.setHeaders(bearer(tokens[next++ % tokens.length] ?? '')),
    }),
    ...(changeOf !== undefined && {
      setupClient: (client) => {
        const connection = next++
        let count = 0
        const prepareNext = () => {
          const change = changeOf(connection, count++)
          client.setHeadersAndBody({ ...json, ...bearer(change.token) }, JSON.stringify(change.body))
        }
        prepareNext()
        client.on('response', prepareNext)
      },
    }),
    ...(bodies !== undefined && {
      setupClient: (client) => client.setHeadersAndBody(json, JSON.stringify(bodies[next++ % bodies.length])),
    }),
  })

  const latencies: number[] = []
  let first = 0
  let last = 0
  run.on('response', (_client, _status, _bytes, milliseconds) => {
    last = performance.now()
    if (latencies.length === 0) first = last
    latencies.push(milliseconds)
  })
  const { errors, timeouts, non2xx } = await run
  if (errors + timeouts + non2xx > 0 || latencies.length < 2) {
    throw new Error(
      `${url}: ${latencies.length} answers, ${non2xx} refused, ${errors} errors, ${timeouts} late`,
    )
  }
  return {
    perSecond: (latencies.length - 1) / ((last - first) / 1000),
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
  }
}

/**
 * Loads the targets in turn (A B C, A B C, …), so that a disturbance hits all of them alike. The first round is the warm-up
 * and does not count.
 */
export async function loadInTurn<Name extends string>(
  targets: Record<Name, Target>,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<Record<Name, LoadResult[]>> {
  const entries = Object.entries(targets) as [Name, Target][]
  for (const [, target] of entries) await load(target, seconds)
  const results = Object.fromEntries(entries.map(([name]) => [name, []])) as unknown as Record<
    Name,
    LoadResult[]
  >
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, target] of entries) results[name].push(await load(target, seconds))
  }
  return results
}
