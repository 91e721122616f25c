import { spawn } from 'node:child_process'
import { access, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type BodyOf,
  type Edge,
  type Endpoint,
  edgeEndpoints,
  edgeEnrolmentEndpoints,
  edgeProgramEndpoints,
  projectEndpoints,
  type Task,
  taskEndpoints,
} from '@pult/contract'
import { callEndpoint, freePort } from '@pult/testkit'
import { afterAll, expect, test } from 'vitest'
import { buildEdgeAgent } from '../tools/build-edge-agent.ts'
import { dataFolder, signal, startProcess } from './server-process.ts'

/* The built agent as a separate process with a real server, which the test kills. */

const root = join(import.meta.dirname, '..')
const agentFile = join(root, 'dist/edge-agent/edge-agent.mjs')

const ends: (() => void | Promise<void>)[] = []
afterAll(async () => {
  for (const end of ends.toReversed()) await end()
})

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pult-edge-'))
  ends.push(() => rm(folder, { recursive: true, force: true }))
  return folder
}

function startAgent(...args: string[]) {
  const child = spawn(process.execPath, [agentFile, ...args], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  // Waits for `close`, so that the output is complete.
  const exited = new Promise<number | null>((resolve) => child.on('close', (code) => resolve(code)))
  ends.push(() => void child.kill('SIGKILL'))
  return { exited, output: () => output, pid: child.pid ?? 0 }
}

const patience = { timeout: 40_000, interval: 100 }

test('an agent enrols, restarts as a task, restarts its programs, survives a server restart and stops after revocation', {
  timeout: 180_000,
}, async () => {
  await buildEdgeAgent()
  const folder = await dataFolder()
  const port = await freePort()
  const settings = { PORT: String(port), PULT_DATA: folder }
  let server = startProcess(settings)
  await server.ready()
  const url = `http://localhost:${port}`
  const registered = await fetch(server.firstRootLink()?.replace('/bift/', '/api/bift/redeem/') ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ firstname: 'Rosa', lastname: 'Root', password: 'eine gute lange Kette' }),
  })
  const { token } = (await registered.json()) as { token: string }
  const call = <E extends Endpoint>(endpoint: E, input?: Parameters<typeof callEndpoint<E>>[3]) =>
    callEndpoint(url, token, endpoint, input)

  const projectBody: BodyOf<typeof projectEndpoints.create> = { label: 'Messe' }
  const projectId = (await call(projectEndpoints.create, { body: projectBody })).body._id
  const made = await call(edgeEndpoints.enrol, { params: { projectId }, body: { label: 'Hall 3' } })
  const params = { projectId, edgeId: made.body.edge._id }
  const edge = async (): Promise<Edge> => (await call(edgeEndpoints.read, { params })).body
  const untilState = (state: string) => expect.poll(async () => (await edge()).state, patience).toBe(state)

  // The server provides the same file that the tests start.
  const served = await fetch(`${url}/api${edgeEnrolmentEndpoints.agent.path}`)
  expect(served.headers.get('content-type')).toContain('javascript')
  expect(await served.text()).toBe(await readFile(agentFile, 'utf8'))

  // The agent exits immediately for wrong arguments, and asks again with a wrong code, each with a message.
  const state = await temporaryFolder()
  const wrong = startAgent('--server', url, '--code', 'WRONG', '--state', state)
  await expect.poll(wrong.output, patience).toContain('This code is no longer valid')
  process.kill(wrong.pid, 'SIGKILL')
  await wrong.exited
  expect(await startAgent('--state', state).exited).toBe(64)
  expect(await startAgent('--server', 'nowhere', '--state', state).exited).toBe(64)

  const touched = join(state, 'restarted')
  const instances = [
    { key: 'player', label: 'Player', restart: ['touch', touched], status: ['test', '-e', touched] },
    {
      key: 'signs',
      label: 'Signs',
      run: ['/bin/sh', '-c', 'echo hall $HALL; exec sleep 600'],
      environment: { HALL: '3' },
    },
  ]
  await writeFile(
    join(state, 'config.json'),
    JSON.stringify({ instances: [{ ...instances[0], shell: 'x' }] }),
  )
  expect(await startAgent('--server', url, '--code', made.body.code, '--state', state).exited).toBe(78)
  await writeFile(join(state, 'config.json'), JSON.stringify({ instances }))

  const agent = startAgent('--server', url, '--code', made.body.code, '--state', state)
  await untilState('online')
  expect((await stat(join(state, 'edge.json'))).mode & 0o777).toBe(0o600)
  await expect
    .poll(async () => (await edge()).instances, patience)
    .toMatchObject([
      { key: 'player', label: 'Player', state: 'stopped', canRestart: true, program: null },
      { key: 'signs', label: 'Signs', state: 'running', canRestart: true, program: { restarts: 0 } },
    ])
  const { report } = await edge()
  expect(report?.cores).toBeGreaterThan(0)
  expect(report?.memory.total).toBeGreaterThan(report?.memory.free ?? 0)

  /** Returns an ended task with its log. */
  async function ended(begun: { body: Task }) {
    const one = { projectId, taskId: begun.body._id }
    const read = async () => (await call(taskEndpoints.read, { params: one })).body
    await expect.poll(async () => (await read()).fulfilledAt, patience).not.toBeNull()
    const log = (await call(taskEndpoints.log, { params: one })).body.items.map(({ line }) => line)
    return { task: await read(), log }
  }

  const connections = () => agent.output().split('Connected to').length - 1
  const before = connections()
  const restarted = await ended(await call(edgeEndpoints.restart, { params, body: {} }))
  expect(restarted.task).toMatchObject({ isRejected: false, state: { info: 'The agent has restarted.' } })
  expect(restarted.log).toContain('The agent has reconnected.')
  await expect.poll(connections, patience).toBe(before + 1)

  const instance = (await edge()).instances[0]?._id ?? ''
  const player = await ended(await call(edgeEndpoints.restart, { params, body: { instance } }))
  expect(player.task.state.info).toBe('Player was restarted.')
  await access(touched)

  const signs = { ...params, instanceId: (await edge()).instances[1]?._id ?? '' }
  const tail = async () =>
    (await call(edgeProgramEndpoints.log, { params: signs, query: {} })).body.lines.map((line) =>
      line.slice(line.indexOf(' ') + 1),
    )
  // The agent has restarted, and the program with it.
  const run = [expect.stringMatching(/^\[agent\] Started, process \d+$/), 'hall 3']
  await expect.poll(tail, patience).toEqual([...run, '[agent] Ended by SIGTERM', ...run])
  const signsStopped = await ended(await call(edgeProgramEndpoints.stop, { params: signs }))
  expect(signsStopped.task.state.info).toBe('Signs was stopped.')
  await expect.poll(async () => (await edge()).instances[1]?.state, patience).toBe('stopped')

  const { task, log } = await ended(await call(edgeEndpoints.diagnose, { params }))
  expect(task.isRejected).toBe(false)
  expect(log.join('\n')).toMatch(/Load .* core[\s\S]*localhost resolves to [\s\S]*answers in \d+ ms/)
  expect(log).toContainEqual(expect.stringMatching(/^Agent of the server: [\d.]+, signed, the same version$/))

  // Its server is killed and restarts.
  const beforeKill = connections()
  server.kill('SIGKILL')
  await server.exited
  server = startProcess(settings)
  await server.ready()
  await expect.poll(connections, patience).toBeGreaterThan(beforeKill)
  await untilState('online')

  // The state of the first start exists, so the same command changes nothing.
  signal(agent.pid, 'SIGTERM')
  expect(await agent.exited).toBe(0)
  const again = startAgent('--server', url, '--code', made.body.code, '--state', state)
  await expect.poll(() => again.output(), patience).toContain('Connected to')
  await call(edgeEndpoints.revoke, { params })
  // It may be admitted again, for example by a server that was restored.
  await expect.poll(() => again.output(), patience).toContain('does not admit this edge')
  signal(again.pid, 'SIGTERM')
  expect(await again.exited).toBe(0)
})
