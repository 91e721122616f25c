import { setTimeout as wait } from 'node:timers/promises'
import {
  apiBase,
  type Edge,
  type EdgePresence,
  edgeEndpoints,
  edgeTimes,
  projectEndpoints,
  socketPath,
} from '@pult/contract'
import { sql } from 'kysely'
import { WebSocket } from 'ws'
import {
  connectAgent,
  someReport,
  type VirtualAgent,
} from '../../apps/server/src/edges/testing/virtual-agent.ts'
import { hashToken, newToken } from '../../apps/server/src/platform/secrets.ts'
import type { BenchOptions } from '../arguments.ts'
import { createClient } from '../calls.ts'
import { withDatabase } from '../crowd.ts'
import { registerRoot } from '../installation.ts'
import { percentile } from '../measure.ts'
import { processorSeconds } from '../processor-time.ts'
import type { Row } from '../table.ts'
import type { Workbench } from '../workbench.ts'

/** Number of agents that connect concurrently, because a listening socket has a short queue. */
const batch = 50

/** Milliseconds between two edges that disconnect and return during the measurement. */
const changeEvery = 400

/**
 * Measures a fleet on loopback. Each agent reports every 5 s, as real ones do. The system reports the server's
 * resource use. The edges disconnect and return one by one, and a console that shows them reads the list after each
 * event.
 */
export async function* measureEdges(bench: Workbench, { isQuick }: BenchOptions): AsyncGenerator<Row> {
  const [count, seconds] = isQuick ? [100, 20] : [1000, 60]
  const installation = await bench.newInstallation()
  const pult = await installation.start()
  const token = await registerRoot(pult)
  const projectId = await makeProject(pult.url, token)
  const tokens = Array.from({ length: count }, newToken)
  await withDatabase(await installation.connection(), (db) =>
    sql`
      insert into edge (id, project_id, label, token_hash, enrolled_at)
      select uuidv7(), ${projectId}::uuid, 'Edge ' || lpad(n::text, 4, '0'), hash, now()
      from unnest(${tokens.map(hashToken)}::bytea[]) with ordinality as each (hash, n)`.execute(db),
  )

  const screen = await openScreen(pult.url, token, projectId)
  const fleet = new Map<string, VirtualAgent>()
  const reportedAt = new Map<string, number>()
  const report = (agentToken: string) => {
    const agent = fleet.get(agentToken)
    if (agent?.isOpen() !== true) return
    agent.report(reportNow())
    reportedAt.set(agentToken, performance.now())
  }
  const connect = async (agentToken: string) => {
    fleet.set(agentToken, await connectAgent(pult.url, { token: agentToken }))
    report(agentToken)
  }
  for (let from = 0; from < count; from += batch)
    await Promise.all(tokens.slice(from, from + batch).map(connect))
  // Start times are spread, as in a real fleet.
  const timers = tokens.map((agentToken, index) =>
    setTimeout(
      () => timers.push(setInterval(() => report(agentToken), edgeTimes.report)),
      (index / count) * edgeTimes.report,
    ),
  )
  await wait(edgeTimes.report * 2)

  const begin = performance.now()
  const usedBefore = await processorSeconds(pult.pid)
  await wait((seconds * 1000) / 2)
  const share = ((await processorSeconds(pult.pid)) - usedBefore) / ((performance.now() - begin) / 1000)

  // Edges return after they count as offline. The measured time runs from the agent's hello to the updated list.
  const changing = tokens.slice(0, Math.floor((seconds * 1000) / 2 / changeEvery))
  const labels = changing.map((_, index) => `Edge ${String(index + 1).padStart(4, '0')}`)
  for (const agentToken of changing) {
    fleet.get(agentToken)?.ws.terminate()
    fleet.delete(agentToken)
  }
  const goneDelays = await Promise.all(
    changing.map(async (agentToken, index) => {
      const dueAt = (reportedAt.get(agentToken) ?? 0) + edgeTimes.offline
      return (await screen.until(labels[index] ?? '', 'offline')) - dueAt
    }),
  )
  const comeDelays: number[] = []
  for (const [index, agentToken] of changing.entries()) {
    const from = performance.now()
    await connect(agentToken)
    comeDelays.push((await screen.until(labels[index] ?? '', 'online')) - from)
    await wait(changeEvery / 4)
  }
  for (const timer of timers) clearTimeout(timer)
  for (const { ws } of fleet.values()) ws.terminate()
  screen.close()
  await pult.stop()

  const name = `${count.toLocaleString('en-US')} agents, a report every 5 s each`
  yield* [
    {
      name: `${name}: % of a core for the server`,
      unit: '',
      ours: [share * 100],
      bar: { kind: 'at most', value: 25 },
    },
    {
      name: 'an edge comes online: until the list on screen shows it, p99',
      unit: 'ms',
      ours: [percentile(comeDelays, 0.99)],
      bar: { kind: 'at most', value: 2000 },
      note: `${comeDelays.length} changes, one after the other`,
    },
    {
      name: 'an edge has been silent for 15 s: until the list shows it, p99',
      unit: 'ms',
      ours: [percentile(goneDelays, 0.99)],
      bar: { kind: 'at most', value: 2000 },
      note: `${goneDelays.length} edges that disconnected together; from 15 s after the last report of each`,
    },
  ]
}

async function makeProject(url: string, token: string): Promise<string> {
  const client = createClient(url, 1)
  const { text } = await client.call(apiBase + projectEndpoints.create.path, {
    token,
    body: { label: 'Bench' },
  })
  client.close()
  return (JSON.parse(text) as { _id: string })._id
}

const reportNow = () =>
  someReport({
    load: [Math.random() * 4, Math.random() * 4, 1],
    uptime: Math.round(performance.now() / 1000),
    instances: [{ key: 'player', label: 'Player', state: 'running', canRestart: true }],
  })

/** An awaited state and its callback. */
interface AwaitedState {
  label: string
  state: Edge['state']
  resolve: (at: number) => void
}

/**
 * Opens a client like a console that shows a project's edges: after each event it reads that edge's page of the list.
 */
async function openScreen(url: string, token: string, projectId: string) {
  const client = createClient(url, 4)
  const states = new Map<string, Edge['state']>()
  let waiting: AwaitedState[] = []
  const path = apiBase + edgeEndpoints.list.path.replace(':projectId', projectId)
  let isReading = false
  let isDue = false

  async function read(): Promise<void> {
    isDue = true
    if (isReading) return
    isReading = true
    while (isDue) {
      isDue = false
      const { status, text } = await client.call(`${path}?limit=200`, { token })
      if (status !== 200) throw new Error(`Reading the list of edges failed with ${status}`)
      for (const { label, state } of (JSON.parse(text) as { items: Edge[] }).items) states.set(label, state)
      const at = performance.now()
      const isSeen = ({ label, state }: AwaitedState) => states.get(label) === state
      const seen = waiting.filter(isSeen)
      waiting = waiting.filter((one) => !isSeen(one))
      for (const { resolve } of seen) resolve(at)
    }
    isReading = false
  }

  const ws = new WebSocket(url.replace(/^http/, 'ws') + apiBase + socketPath)
  const subscribed = Promise.withResolvers<void>()
  ws.on('error', subscribed.reject)
  ws.on('open', () => {
    ws.send(JSON.stringify({ type: 'auth', token }))
    ws.send(JSON.stringify({ type: 'subscribe', topic: `/projects/${projectId}/edges` }))
  })
  ws.on('message', (data) => {
    const message = JSON.parse((data as Buffer).toString()) as {
      type: string
      name?: string
      data?: { edges?: EdgePresence[] }
    }
    if (message.type === 'subscribed') subscribed.resolve()
    if (message.type === 'event') read().catch(subscribed.reject)
  })
  await subscribed.promise
  await read()

  return {
    until: (label: string, state: Edge['state']) =>
      states.get(label) === state
        ? Promise.resolve(performance.now())
        : new Promise<number>((resolve) => waiting.push({ label, state, resolve })),
    close(): void {
      ws.terminate()
      client.close()
    },
  }
}
