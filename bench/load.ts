import autocannon from 'autocannon'
import { percentile } from './measure.ts'

export interface Target {
  url: string
  /** Tokens of the callers, distributed over the connections. */
  tokens?: readonly string[]
}

export interface LoadResult {
  perSecond: number
  /** Latencies in milliseconds. */
  p50: number
  p99: number
}

export const connections = 10

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

/** Keeps every connection busy for the given seconds. Throws when a call fails. */
export async function load({ url, tokens = [] }: Target, seconds: number): Promise<LoadResult> {
  let next = 0
  const run = autocannon({
    url,
    duration: seconds,
    connections,
    ...(tokens.length > 0 && {
      setupClient: (client) => client.setHeaders(bearer(tokens[next++ % tokens.length] ?? '')),
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

/** Loads the targets in turn (A B C, A B C, …), so that a disturbance affects all. The first round is a warm-up. */
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
