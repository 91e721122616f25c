import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { type Answer, createClient } from '../calls.ts'
import { password } from '../installation.ts'
import { floorSide, mePath, pultSide, type Side } from '../login-calls.ts'
import type { Flood } from '../login-flood.ts'
import { percentile } from '../measure.ts'
import type { Row } from '../table.ts'
import type { Workbench } from '../workbench.ts'

const bursts = 4
const loginsAtOnce = 200
/** A call of /me starts at this interval in milliseconds, even if earlier calls are still open. */
const interval = 10

interface Probe {
  side: Side
  path: string
  token: string
}

/** Measures the response time of other requests while 200 users sign in concurrently. */
export async function* measureFlood(bench: Workbench): AsyncGenerator<Row> {
  const { pultUrl, pultToken, floorUrl, floorToken, people } = await bench.pair()
  const names = people.names.slice(0, loginsAtOnce)
  const ours: Probe = { side: pultSide(pultUrl), path: mePath, token: pultToken }
  const floor: Probe = { side: floorSide(floorUrl), path: '/me/database', token: floorToken }

  const latencies = { ours: [] as number[], floor: [] as number[] }
  const served: number[] = []
  for (let burst = 0; burst < bursts; burst += 1) {
    await people.startOver()
    const flooded = await probeDuring(ours, names)
    latencies.ours.push(...flooded.latencies)
    served.push(flooded.served)
    latencies.floor.push(...(await probeDuring(floor, names)).latencies)
  }
  yield* [
    {
      name: `GET /me, p99 while ${loginsAtOnce} sign in`,
      unit: 'ms',
      ours: [percentile(latencies.ours, 0.99)],
      floor: [percentile(latencies.floor, 0.99)],
      bar: { kind: 'below', value: 250 },
      note: `${latencies.ours.length} calls; of ${loginsAtOnce} logins ${Math.min(...served)}..${Math.max(...served)} served, others asked to retry later`,
    },
  ]
}

async function probeDuring({ side, path, token }: Probe, names: string[]) {
  const client = createClient(side.url, 100)
  // Warms up the connection and all code involved.
  await client.call(path, { token })
  const flood: Flood = {
    url: side.url,
    path: side.loginPath,
    bodies: names.map((name) => side.loginBody(name, password)),
  }
  const worker = new Worker(new URL('../login-flood.ts', import.meta.url), { workerData: flood })
  await once(worker, 'online')

  const flooding = { isOver: false }
  const ending = once(worker, 'message')
    .then(([counts]) => counts as Record<number, number>)
    .catch(toError)
    .finally(() => {
      flooding.isOver = true
    })
  const calls: Promise<number | Error>[] = []
  while (!flooding.isOver) {
    calls.push(client.call(path, { token }).then(millisecondsOf).catch(toError))
    await wait(interval)
  }
  const counts = valueOf(await ending)
  const unexpected = Object.keys(counts).filter((status) => status !== '200' && status !== '503')
  if (unexpected.length > 0) throw new Error(`Logins of the flood returned ${unexpected.join(', ')}`)
  const latencies = (await Promise.all(calls)).map(valueOf)
  client.close()
  return { latencies, served: counts[200] ?? 0 }
}

function millisecondsOf({ status, milliseconds }: Answer): number {
  if (status !== 200) throw new Error(`A call during the flood failed with ${status}`)
  return milliseconds
}

// Errors during the flood are kept until its end, because no code awaits the calls before.
const toError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)))

function valueOf<Value>(value: Value | Error): Value {
  if (value instanceof Error) throw value
  return value
}
