import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { apiBase, edgeCloseCodes, edgeSocketPath } from '@pult/contract'
import { expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { createLog } from '#platform/log.ts'
import type { StrangersLimits } from '#platform/realtime/strangers.ts'
import { openSilentSockets, socketsAtOnce } from '#platform/realtime/testing/silent-sockets.ts'
import { hashToken } from '#platform/secrets.ts'
import { readConfig } from '../../config.ts'
import { connectAgent, type VirtualAgent } from '../testing/virtual-agent.ts'
import { createAgentGateway } from './agent-gateway.ts'

const { unauthenticatedSockets: usualLimits } = readConfig({})
const path = apiBase + edgeSocketPath

/** A gateway on its own server. It knows the tokens `hall` and `crane`. */
async function startGateway(strangersMax: StrangersLimits, authenticateWithin = 600_000) {
  const edges = new Map(['hall', 'crane'].map((label) => [hashToken(label).toString('hex'), label]))
  const log = createLog('silent')
  const warned = vi.spyOn(log, 'warn')
  const twins: unknown[] = []
  const gateway = createAgentGateway({
    async admit({ tokenHash }) {
      const label = edges.get(tokenHash.toString('hex'))
      return label === undefined ? undefined : { edgeId: label, label, number: 1, enrolment: '' }
    },
    addressOf: ({ headers }) => String(headers['x-network']),
    strangersMax,
    // Longer than the tests wait, so that only a newcomer removes a silent socket.
    authenticateWithin,
    findByToken: async () => undefined,
    onAnswer: async () => {},
    onLog: () => {},
    onPress: () => {},
    onReport: () => {},
    onTwins: (edgeId, addresses) => twins.push([edgeId, addresses]),
    log,
  })
  const server = createServer()
  server.on('upgrade', gateway.open)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(async () => {
    await gateway.close()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    server,
    gateway,
    warned,
    twins,
    connect: (token: string, network: string, run = randomUUID()) =>
      connectAgent(url, { token, run, headers: { 'x-network': network } }),
    /** Connects until the gateway accepts the agent. */
    async welcomed(token: string, network: string, run = randomUUID()) {
      let agent = await this.connect(token, network, run)
      await expect
        .poll(async () => {
          if (!agent.isOpen()) agent = await this.connect(token, network, run)
          return agent.messages
        })
        .toMatchObject([{ type: 'welcome' }])
      return agent
    },
  }
}

test('RULE-60 2,500 silent sockets stay within the limits and affect neither edges nor reconnecting ones', async () => {
  const attacked = await startGateway(usualLimits)
  const hall = await attacked.welcomed('hall', '10.0.0.0')
  const attack = await openSilentSockets(attacked.server, {
    path,
    count: 2500,
    networkOf: (index) => `10.0.0.${Math.floor(index / 313)}`,
  })
  // Refused sockets of the last wave may still be closing.
  expect(attack.most).toBeLessThanOrEqual(usualLimits.all + 1 + socketsAtOnce)
  await attacked.welcomed('crane', '10.0.0.0')
  hall.ws.ping()
  await once(hall.ws, 'pong')
  attack.close()
})

test('RULE-60 one network cannot use the places of all edges', async () => {
  const attacked = await startGateway({ network: 10, all: 1000 })
  const attack = await openSilentSockets(attacked.server, { path, count: 200, networkOf: () => '10.0.0.1' })
  expect(attack.most).toBeLessThanOrEqual(10 + socketsAtOnce)
  expect((await attacked.connect('hall', '10.0.0.2')).status).toBe(101)
  attack.close()
})

test('wazuh#38610 an agent whose greeting does not arrive in time may try again soon', async () => {
  const { server } = await startGateway(usualLimits, 100)
  const ws = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}${path}`)
  const [code] = await once(ws, 'close')
  expect(code).toBe(edgeCloseCodes.tryAgainLater)
})

test('RULE-60 refused agents that do not confirm the close count as unauthenticated', async () => {
  const attacked = await startGateway({ network: 10, all: 10 })
  const hello = { type: 'hello', protocol: 1, token: 'x'.repeat(100), version: '1.2.3', run: randomUUID() }
  const attack = await openSilentSockets(attacked.server, {
    path,
    count: 200,
    networkOf: () => '10.0.0.1',
    message: JSON.stringify(hello),
  })
  expect(attack.most).toBeLessThanOrEqual(10 + socketsAtOnce)
  await attacked.welcomed('hall', '10.0.0.1')
  attack.close()
})

test('s3fs-fuse#1870 a field that does not fit is named once in the log and once to the agent', async () => {
  const started = await startGateway(usualLimits)
  const { gateway, warned } = started
  const agent = await started.welcomed('hall', '10.0.0.1')
  for (let count = 1; count <= 3; count += 1) {
    agent.report({ disk: { total: 2 ** 64, free: 5 }, uptime: count })
    await expect.poll(() => gateway.reportOf('hall')?.uptime).toBe(count)
  }
  expect(agent.messages.filter(({ type }) => type === 'refused')).toHaveLength(1)
  const entry = {
    edge: 'hall',
    version: '1.2.3',
    field: 'report.disk.total',
    rule: expect.stringContaining('Must be a number'),
  }
  expect(warned.mock.calls).toEqual([[entry, 'a message of an edge does not fit']])
  expect(gateway.reportOf('hall')?.disk).toEqual({ total: Number.MAX_SAFE_INTEGER, free: 5 })
})

test('RULE-76 an agent that sends odd reports without a pause is disconnected', async () => {
  const started = await startGateway(usualLimits)
  const agent = await started.welcomed('hall', '10.0.0.1')
  const report = (uptime: number) => agent.report({ disk: { total: 2 ** 64, free: 5 }, uptime })
  let later = 0
  const now = performance.now.bind(performance)
  const spied = vi.spyOn(performance, 'now').mockImplementation(() => now() + later)
  onTestFinished(() => spied.mockRestore())
  for (let count = 1; count <= 15; count += 1) report(count)
  await expect.poll(() => started.gateway.reportOf('hall')?.uptime).toBe(15)
  // Within the limit of all messages.
  later = 2000
  for (let count = 16; count <= 21; count += 1) report(count)
  expect(await agent.closed).toBe(4429)
  expect(started.warned).toHaveBeenCalledTimes(1)
})

test('a message that is no report is named in the reason of the close and in the log', async () => {
  const started = await startGateway(usualLimits)
  const { warned } = started
  const agent = await started.welcomed('hall', '10.0.0.1')
  const reason = new Promise((resolve) => {
    agent.ws.on('close', (_code, text) => resolve(text.toString()))
  })
  agent.ws.send('{"type":"answer","command":5,"lines":[]}')
  expect(await agent.closed).toBe(4400)
  expect(await reason).toMatch(/^badMessage: command: /)
  expect(warned.mock.calls[0]).toMatchObject([{ edge: 'hall', field: 'command' }, expect.any(String)])
})

test('vercel/serve#746 an agent that sends pings without reports is silent until it reports', async () => {
  const started = await startGateway(usualLimits)
  const { gateway } = started
  const agent = await started.welcomed('hall', '10.0.0.1')
  const silent = () => gateway.silent().map(({ edgeId }) => edgeId)
  expect(silent()).toEqual([])
  let later = 0
  const now = performance.now.bind(performance)
  const spied = vi.spyOn(performance, 'now').mockImplementation(() => now() + later)
  onTestFinished(() => spied.mockRestore())
  // The server has received nothing since: the machine may be gone.
  later = 12_000
  expect(silent()).toEqual([])
  agent.ws.ping()
  await expect.poll(silent).toEqual(['hall'])
  agent.report()
  await expect.poll(silent).toEqual([])
})

test('RULE-60 binary, fragmented, nested and endless messages of an agent close its own connection only', async () => {
  const started = await startGateway(usualLimits)
  const crane = await started.welcomed('crane', '10.0.0.2')
  const closeAfter = async (act: (ws: VirtualAgent['ws']) => void) => {
    const agent = await started.welcomed('hall', '10.0.0.1')
    act(agent.ws)
    return agent.closed
  }
  expect(await closeAfter((ws) => ws.send(Buffer.from('{"type":"report"}'), { binary: true }))).toBe(4400)
  expect(await closeAfter((ws) => ws.send('['.repeat(30_000) + ']'.repeat(30_000)))).toBe(4400)
  const times = (count: number, act: () => void) => {
    for (let index = 0; index < count; index += 1) act()
  }
  expect(await closeAfter((ws) => times(65, () => ws.send('', { fin: false })))).toBe(1008)
  expect(await closeAfter((ws) => times(30, () => ws.ping()))).toBe(4429)
  expect(crane.isOpen()).toBe(true)
})

test('RULE-60 a second hello changes neither the edge nor the connection of an agent', async () => {
  const started = await startGateway(usualLimits)
  const agent = await started.welcomed('hall', '10.0.0.1')
  agent.send({ type: 'hello', protocol: 1, token: 'crane', version: '1.2.3', run: randomUUID() })
  agent.report({ uptime: 7 })
  await expect.poll(() => started.gateway.reportOf('hall')?.uptime).toBe(7)
  expect(started.gateway.reportOf('crane')).toBeNull()
  expect(agent.messages.filter(({ type }) => type === 'welcome')).toHaveLength(1)
})

/** Lets the time of the gateway pass. */
function passingTime() {
  let later = 0
  const now = performance.now.bind(performance)
  const spied = vi.spyOn(performance, 'now').mockImplementation(() => now() + later)
  onTestFinished(() => spied.mockRestore())
  return (milliseconds: number) => {
    later += milliseconds
  }
}

const hours = 3_600_000

test('two live processes that replace each other twice within two hours are two machines', async () => {
  const started = await startGateway(usualLimits)
  const pass = passingTime()
  const first = await started.welcomed('hall', '10.0.0.1')
  const second = await started.welcomed('hall', '10.0.0.2')
  expect(await first.closed).toBe(4409)
  expect(started.twins).toEqual([])
  pass(1.9 * hours)
  second.ws.ping()
  await once(second.ws, 'pong')
  await started.welcomed('hall', '10.0.0.1')
  expect(started.twins).toEqual([['hall', ['10.0.0.2', '10.0.0.1']]])
})

test.each<[string, { run?: ReturnType<typeof randomUUID>; pause?: number; isSilent?: boolean }]>([
  ['by its own process', { run: randomUUID() }],
  ['more than two hours later', { pause: 2.1 * hours }],
  ['while it is silent', { pause: 11_000, isSilent: true }],
])('an agent that is replaced again %s is no second machine', async (_name, { run, pause = 0, isSilent }) => {
  const started = await startGateway(usualLimits)
  const pass = passingTime()
  let agent = await started.welcomed('hall', '10.0.0.1', run)
  for (let count = 0; count < 3; count += 1) {
    pass(pause)
    if (isSilent !== true) {
      agent.ws.ping()
      await once(agent.ws, 'pong')
    }
    agent = await started.welcomed('hall', '10.0.0.2', run)
  }
  expect(started.twins).toEqual([])
})

test('the connection of an edge whose agent has connected to another node since is closed', async () => {
  const started = await startGateway(usualLimits)
  const { gateway } = started
  const agent = await started.welcomed('hall', '10.0.0.1')
  const elsewhere = (number: number) => ({ number, run: randomUUID(), address: '10.0.0.2' })
  for (const number of [0, 1]) gateway.replacedElsewhere('hall', elsewhere(number))
  gateway.replacedElsewhere('crane', elsewhere(2))
  agent.ws.ping()
  await once(agent.ws, 'pong')
  expect(agent.isOpen()).toBe(true)
  gateway.replacedElsewhere('hall', elsewhere(2))
  expect(await agent.closed).toBe(4409)
  expect(gateway.agents()).toEqual([])
  // Two machines may take turns at two nodes.
  await started.welcomed('hall', '10.0.0.1')
  gateway.replacedElsewhere('hall', elsewhere(3))
  expect(started.twins).toEqual([['hall', ['10.0.0.1', '10.0.0.2']]])
})
