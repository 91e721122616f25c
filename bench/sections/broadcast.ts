import { setTimeout as delay } from 'node:timers/promises'
import { apiBase, organisationEndpoints } from '@pult/contract'
import type { BenchOptions } from '../arguments.ts'
import { type Answer, type Client, createClient } from '../calls.ts'
import { type Clients, openFloorClients, openPultClients } from '../clients.ts'
import { addCrowd, addOrganisation, withDatabase } from '../crowd.ts'
import { percentile } from '../measure.ts'
import type { Row } from '../table.ts'
import type { Workbench } from '../workbench.ts'

/** Concurrent changes while the rate is measured. */
const concurrent = 10
const patience = 30_000

/** A small team, each with a socket for every open tab. */
const teamSize = 20
const tabsEach = 5
/** Milliseconds between two changes of the team. */
const teamPause = 60

const record = '0193a3f0-5a2e-7c41-9d5b-2f1b7a6c0d11'

/** One side with open sockets that receive every change. */
interface Broadcaster {
  clients: Clients
  change: (client: Client, count: number) => Promise<Answer>
  client: Client
  deliveries: Deliveries
}

/** Times at which the sockets received events. */
interface Deliveries {
  at: number[]
  /** Resolves after this many deliveries since the last reset. */
  until: (count: number) => Promise<void>
  reset: () => void
}

/**
 * Measures a change of an organisation that reaches its 1,000 members, each on a separate socket. First it measures
 * the delay from the call to every socket, one change after the other, then the throughput with ten organisations.
 * The floor sends one text to all sockets and writes nothing.
 */
export async function* measureBroadcast(bench: Workbench, { isQuick }: BenchOptions): AsyncGenerator<Row> {
  const size = isQuick ? 100 : 1000
  const [single, burst, rounds] = isQuick ? [10, 20, 1] : [40, 200, 5]
  const ours = await pultBroadcaster(bench, size)
  const floor = await floorBroadcaster(bench, size)
  try {
    const latencies = { ours: [] as number[], floor: [] as number[] }
    const spreads = { ours: [] as number[], floor: [] as number[] }
    for (let count = 0; count < single; count += 1) {
      for (const [name, side] of [
        ['ours', ours],
        ['floor', floor],
      ] as const) {
        const one = await changeOnce(side, size, count)
        // The first changes open connections and warm up the compiler.
        if (count < single / 10) continue
        latencies[name].push(...one.latencies)
        spreads[name].push(one.spread)
      }
    }
    const rates = { ours: [] as number[], floor: [] as number[] }
    for (let round = 0; round < rounds; round += 1) {
      rates.ours.push(await changeMany(ours, { size, burst, round }))
      rates.floor.push(await changeMany(floor, { size, burst, round }))
    }
    yield* [
      {
        name: `one change to ${size.toLocaleString('en-US')} sockets, p99`,
        unit: 'ms',
        ours: [percentile(latencies.ours, 0.99)],
        floor: [percentile(latencies.floor, 0.99)],
        bar: { kind: 'at most', value: 250 },
        note: `${latencies.ours.length} deliveries, from the start of the call; floor: no write and no query`,
      },
      {
        name: 'one change, from the first to the last socket',
        unit: 'ms',
        ours: spreads.ours,
        floor: spreads.floor,
      },
      {
        name: `deliveries, ${burst} changes to ${size.toLocaleString('en-US')} sockets`,
        unit: '/s',
        ours: rates.ours,
        floor: rates.floor,
        bar: { kind: 'share of the floor', share: 0.5 },
        note: `${concurrent} concurrent changes; floor: the same calls and a bare ws broadcast`,
      },
    ]
  } finally {
    for (const { clients, client } of [ours, floor]) {
      clients.close()
      client.close()
    }
  }
  yield await measureTeam(bench, isQuick)
}

async function pultBroadcaster(bench: Workbench, size: number): Promise<Broadcaster> {
  const { pultUrl, pultToken, connection } = await bench.pair()
  const { crowd, orgIds } = await withDatabase(connection, async (db) => {
    const members = await addCrowd(db, size)
    const ids: string[] = []
    for (let count = 0; count < concurrent; count += 1) ids.push(await addOrganisation(db, members))
    return { crowd: members, orgIds: ids }
  })
  const deliveries = createDeliveries()
  const tokens = crowd.map(({ token }) => token)
  const clients = await openPultClients({ url: pultUrl, onChange: deliveries.onChange }, tokens, [
    'organisations',
  ])
  // Concurrent changes use different organisations, so that they do not wait for row locks.
  const paths = orgIds.map((id) => apiBase + organisationEndpoints.update.path.replace(':orgId', id))
  return {
    clients,
    deliveries,
    client: createClient(pultUrl, concurrent),
    change: (client, count) =>
      client.call(paths[count % paths.length] ?? '', {
        method: 'PUT',
        token: pultToken,
        body: { label: `Bench ${count}` },
      }),
  }
}

async function floorBroadcaster(bench: Workbench, size: number): Promise<Broadcaster> {
  const { floorUrl } = await bench.pair()
  const deliveries = createDeliveries()
  const clients = await openFloorClients({ url: floorUrl, onChange: deliveries.onChange }, size)
  return {
    clients,
    deliveries,
    client: createClient(floorUrl, concurrent),
    change: (client) => client.call('/broadcast', { body: { id: record } }),
  }
}

/** Measures the same change for a small team. The floor checks the session, writes a row and waits for PostgreSQL. */
async function measureTeam(bench: Workbench, isQuick: boolean): Promise<Row> {
  const { pultUrl, pultToken, floorUrl, floorToken, connection } = await bench.pair()
  const size = teamSize * tabsEach
  const { team, orgId } = await withDatabase(connection, async (db) => {
    const members = await addCrowd(db, teamSize)
    return { team: members, orgId: await addOrganisation(db, members) }
  })
  const tokens = team.flatMap(({ token }) => Array.from({ length: tabsEach }, () => token))
  const path = apiBase + organisationEndpoints.update.path.replace(':orgId', orgId)
  const [ourDeliveries, floorDeliveries] = [createDeliveries(), createDeliveries()]
  const ours: Broadcaster = {
    clients: await openPultClients({ url: pultUrl, onChange: ourDeliveries.onChange }, tokens, [
      'organisations',
    ]),
    deliveries: ourDeliveries,
    client: createClient(pultUrl, 1),
    change: (client, count) =>
      client.call(path, { method: 'PUT', token: pultToken, body: { label: `Team ${count}` } }),
  }
  const floor: Broadcaster = {
    clients: await openFloorClients({ url: floorUrl, onChange: floorDeliveries.onChange }, size),
    deliveries: floorDeliveries,
    client: createClient(floorUrl, 1),
    change: (client) => client.call('/broadcast/stored', { token: floorToken, body: { id: record } }),
  }
  const last = { ours: [] as number[], floor: [] as number[] }
  const [changes, warmup] = isQuick ? [20, 5] : [100, 20]
  try {
    for (let count = 0; count < changes; count += 1) {
      for (const [name, side] of [
        ['ours', ours],
        ['floor', floor],
      ] as const) {
        const { latencies } = await changeOnce(side, size, count)
        if (count >= warmup) last[name].push(Math.max(...latencies))
        // Users pause between two changes.
        await delay(teamPause)
      }
    }
  } finally {
    for (const { clients, client } of [ours, floor]) {
      clients.close()
      client.close()
    }
  }
  return {
    name: `one change to ${size} sockets of ${teamSize} people, the last socket`,
    unit: 'ms',
    ...last,
    bar: { kind: 'times the floor', factor: 1.5 },
    note: 'floor: a session check, one written row and a notification by PostgreSQL',
  }
}

function createDeliveries(): Deliveries & { onChange: (change: { at: number }) => void } {
  let at: number[] = []
  let waiting: { count: number; resolve: () => void } | undefined
  return {
    get at() {
      return at
    },
    reset() {
      at = []
    },
    onChange(change) {
      at.push(change.at)
      if (waiting !== undefined && at.length >= waiting.count) waiting.resolve()
    },
    until: (count) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(
          () => reject(new Error(`${at.length} of ${count} deliveries arrived within ${patience / 1000} s`)),
          patience,
        )
        const finish = () => {
          clearTimeout(timer)
          waiting = undefined
          resolve()
        }
        waiting = { count, resolve: finish }
        if (at.length >= count) finish()
      }),
  }
}

async function changeOnce({ deliveries, change, client }: Broadcaster, size: number, count: number) {
  deliveries.reset()
  const begin = performance.now()
  const [answer] = await Promise.all([change(client, count), deliveries.until(size)])
  checked(answer)
  const latencies = deliveries.at.map((at) => at - begin)
  return { latencies, spread: Math.max(...latencies) - Math.min(...latencies) }
}

/** Returns deliveries per second, from the first call to the last socket. */
async function changeMany(
  { deliveries, change, client }: Broadcaster,
  { size, burst, round }: { size: number; burst: number; round: number },
): Promise<number> {
  deliveries.reset()
  const begin = performance.now()
  const all = deliveries.until(size * burst)
  let next = 0
  const callers = Array.from({ length: concurrent }, async () => {
    while (next < burst) checked(await change(client, 1000 * (round + 1) + next++))
  })
  await Promise.all([...callers, all])
  return (size * burst) / ((performance.now() - begin) / 1000)
}

function checked({ status, text }: Answer): void {
  if (status !== 200) throw new Error(`A change failed with ${status}: ${text}`)
}
