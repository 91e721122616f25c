import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createServer as createTls } from 'node:https'
import { createServer as createPlain } from 'node:net'
import { join } from 'node:path'
import { certificateFor, smallDisk } from '@pult/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { lastLines } from './agent-log.ts'
import { becomeEdge } from './enrol.ts'
import { createOwnValues } from './own-values.ts'
import { isAlive } from './testing/is-alive.ts'
import { closedPort, portOf } from './testing/port-of.ts'
import { temporaryFolder } from './testing/temporary-folder.ts'

/* The agent as a process: which faults stop it, with which exit code and message, and which do not. */

const main = join(import.meta.dirname, 'main.ts')

interface Run {
  args: string[]
  /** Where its output goes instead of to the test. */
  output?: number
  isOnTerminal?: boolean
  /** Whether its processes are a group, as those of a terminal are. */
  isGroup?: boolean
}

function start({ args, output, isOnTerminal = false, isGroup = false }: Run) {
  const command = [process.execPath, main, ...args]
  // The program of util-linux runs a command on a new terminal, and exits as it does.
  const [program = '', ...rest] = isOnTerminal
    ? ['script', '--quiet', '--return', '--command', command.join(' '), '/dev/null']
    : command
  const child = spawn(program, rest, {
    env: { PATH: process.env['PATH'], HOME: '/nowhere' },
    stdio: ['ignore', output ?? 'pipe', output ?? 'pipe'],
    detached: isGroup,
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (text += chunk.toString()))
  const exited = new Promise<number | null>((resolve) => child.on('close', resolve))
  onTestFinished(() => void child.kill('SIGKILL'))
  return {
    pid: child.pid ?? 0,
    exited,
    text: () => text,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    stop: () => void child.kill('SIGTERM'),
  }
}

const answering = (status: number, body = '') => {
  const state = { calls: 0 }
  const server = createServer((_, response) => {
    state.calls += 1
    response.writeHead(status, { 'content-type': 'application/json', location: '/login' }).end(body)
  })
  return { server, state }
}

const state = { server: 'http://127.0.0.1:9', edge: 'e', token: 't', usedCode: 'c' }

/** A name, the files of the state folder, the arguments after it, the exit code and a part of the only line. */
const final: [string, Record<string, string>, string[], number, string][] = [
  ['an unknown option', {}, ['--sever', 'x'], 64, "Unknown option '--sever'"],
  [
    'an address without a scheme',
    {},
    ['--server', 'example.org:8443', '--code', 'A'],
    64,
    'does not begin with https://',
  ],
  [
    'an address with a password',
    {},
    ['--server', 'https://a:b@c', '--code', 'A'],
    64,
    'a user name or a password',
  ],
  ['no state and no code', {}, [], 64, 'This machine is not enrolled yet'],
  [
    'a configuration that is no JSON',
    { 'config.json': '{' },
    [],
    78,
    'config.json is not usable: line 1, column 2',
  ],
  [
    'a configuration with a mistake',
    { 'config.json': '{"instances": 1}' },
    [],
    78,
    'instances must be a list',
  ],
  [
    'a state that is no JSON',
    { 'edge.json': '{"token":' },
    [],
    78,
    'edge.json cannot be read: line 1, column 10',
  ],
  ['an empty state', { 'edge.json': '' }, [], 78, 'edge.json cannot be read: it is empty'],
]

test.each(final)(
  'an agent with %s ends with a message and an exit code that no service restarts',
  async (_name, files, args, code, message) => {
    const folder = await temporaryFolder()
    for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content)
    const agent = start({ args: ['--state', folder, ...args] })
    expect(await agent.exited).toBe(code)
    const lines = agent.text().trim().split('\n')
    expect(lines[0]).toContain(message)
    expect(lines.slice(1).filter((line) => line !== 'See --help.')).toEqual([])
  },
)

const refusal = JSON.stringify({ code: 'EDGE_CODE_NOT_VALID', message: 'This code is no longer valid' })

test('a code that the server rejects ends an agent on a terminal', async () => {
  const url = `http://127.0.0.1:${await portOf(answering(410, refusal).server)}`
  const args = ['--state', await temporaryFolder(), '--server', url, '--code', 'A']
  const agent = start({ args, isOnTerminal: true })
  expect(await agent.exited).toBe(77)
  expect(agent.text().trim()).toBe(`${url} rejected the code: This code is no longer valid`)
})

test('a code that the server rejects does not end an agent without a terminal', async () => {
  const url = `http://127.0.0.1:${await portOf(answering(410, refusal).server)}`
  const agent = start({ args: ['--state', await temporaryFolder(), '--server', url, '--code', 'A'] })
  await expect
    .poll(agent.text, { timeout: 30_000 })
    .toBe(
      `${url} rejected the code: This code is no longer valid. The agent asks again after growing pauses of up to an hour\n`,
    )
  expect(agent.isRunning()).toBe(true)
})

/** A state folder of an edge with one program, which appends a line to the file `starts` when it starts. */
async function enrolledFolder() {
  const folder = await temporaryFolder()
  const run = ['/bin/sh', '-c', `echo started >> ${folder}/starts; exec sleep 600`]
  const config = { instances: [{ key: 'player', label: 'Player', run }] }
  await writeFile(join(folder, 'edge.json'), JSON.stringify(state), { mode: 0o600 })
  await writeFile(join(folder, 'config.json'), JSON.stringify(config))
  return { folder, read: (name: string) => readFile(join(folder, name), 'utf8').catch(() => '') }
}

test('wazuh/wazuh#38603 an edge runs its programs while its new code cannot be redeemed, and then becomes the other edge', async () => {
  const edge = { edge: '018f0000-0000-7000-8000-000000000000', label: 'Hall', token: 'a-token' }
  let calls = 0
  let isBack = false
  const server = createServer((_, response) => {
    calls += 1
    response.writeHead(isBack ? 200 : 502, { 'content-type': 'application/json' }).end(JSON.stringify(edge))
  })
  const url = `http://127.0.0.1:${await portOf(server)}`
  const { folder, read } = await enrolledFolder()
  const agent = start({ args: ['--state', folder, '--server', url, '--code', 'B'] })
  await expect.poll(() => read('starts'), { timeout: 30_000 }).toBe('started\n')
  expect(calls).toBeGreaterThan(0)
  expect(JSON.parse(await read('edge.json'))).toEqual(state)
  isBack = true
  await expect.poll(() => read('starts'), { timeout: 60_000 }).toBe('started\nstarted\n')
  expect(JSON.parse(await read('edge.json'))).toMatchObject({ server: url, token: 'a-token' })
  expect(await read('enrolled.json')).toBe('')
  agent.stop()
  expect(await agent.exited).toBe(0)
})

test('wazuh/wazuh#38603 an edge whose new server refuses the code runs its programs, and ends with the reason on a terminal', async () => {
  const url = `http://127.0.0.1:${await portOf(answering(410, refusal).server)}`
  const { folder, read } = await enrolledFolder()
  const args = ['--state', folder, '--server', url, '--code', 'B']
  const watched = start({ args, isOnTerminal: true })
  expect(await watched.exited).toBe(77)
  expect(watched.text().trim()).toBe(`${url} rejected the code: This code is no longer valid`)
  expect(await read('starts')).toBe('')
  const agent = start({ args })
  await expect.poll(() => read('starts'), { timeout: 30_000 }).toBe('started\n')
  agent.stop()
  expect(await agent.exited).toBe(0)
})

test('faults of the network, the server and the clock never end an agent', async () => {
  const year = new Date().getUTCFullYear()
  const tls = async (years?: readonly [number, number]) => {
    const { key, certificate } = certificateFor('127.0.0.1', { ...(years && { years }) })
    return `https://127.0.0.1:${await portOf(createTls({ key, cert: certificate }))}`
  }
  const answer = async (status: number, body?: string) =>
    `http://127.0.0.1:${await portOf(answering(status, body).server)}`
  const limit = JSON.stringify({ code: 'TOO_MANY_ATTEMPTS', message: 'Later' })
  const servers: [string, string][] = [
    [`http://127.0.0.1:${await closedPort()}`, 'ECONNREFUSED'],
    ['https://no-such-host.invalid', 'no-such-host.invalid'],
    [await tls(), 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    [await tls([year - 3, year - 1]), 'certificate'],
    [await tls([year + 1, year + 3]), 'certificate'],
    [await answer(502), 'status 502'],
    [await answer(503, limit), 'status 503'],
    [await answer(429, limit), 'status 429'],
    [await answer(302), 'status 302'],
    [(await answer(200)).replace('http:', 'https:'), 'does not speak HTTPS'],
    [`http://127.0.0.1:${await portOf(createPlain((socket) => socket.destroy()))}`, 'was closed'],
  ]
  const folders = await Promise.all(servers.map(() => temporaryFolder()))
  const agents = servers.map(([server, reason], index) => ({
    reason,
    agent: start({ args: ['--state', folders[index] ?? '', '--server', server, '--code', 'A'] }),
  }))
  for (const { agent, reason } of agents) {
    await expect
      .poll(agent.text, { timeout: 60_000 })
      .toMatch(new RegExp(`cannot be reached .*${reason}.*; retrying`))
    expect(agent.isRunning()).toBe(true)
  }
})

const readOnlyDisk = await smallDisk('ro')

test.skipIf(readOnlyDisk === undefined)('an agent with a read-only disk waits for it', async () => {
  const folder = readOnlyDisk ?? ''
  const agent = start({ args: ['--state', folder, '--server', 'http://127.0.0.1:9', '--code', 'A'] })
  await expect
    .poll(agent.text, { timeout: 30_000 })
    .toContain(`The token cannot be stored in ${folder}: the disk is read-only (EROFS)`)
  expect(agent.text()).toContain('; retrying')
  expect(agent.isRunning()).toBe(true)
})

test('an agent whose log cannot be written continues', async () => {
  const { server, state: seen } = answering(502)
  const url = `http://127.0.0.1:${await portOf(server)}`
  const full = createWriteStream('/dev/full')
  await once(full, 'open')
  onTestFinished(() => void full.destroy())
  const output = (full as unknown as { fd: number }).fd
  const agent = start({ args: ['--state', await temporaryFolder(), '--server', url, '--code', 'A'], output })
  await expect.poll(() => seen.calls, { timeout: 30_000 }).toBeGreaterThan(2)
  expect(agent.isRunning()).toBe(true)
})

const disk = await smallDisk('size=64k')

test.skipIf(disk === undefined)(
  'an agent whose disk is full redeems its code when the disk can store the token',
  async () => {
    const folder = disk ?? ''
    const edge = { edge: '018f0000-0000-7000-8000-000000000000', label: 'Hall', token: 'a-token' }
    const { server, state: seen } = answering(200, JSON.stringify(edge))
    const url = `http://127.0.0.1:${await portOf(server)}`
    await writeFile(join(folder, 'filler'), Buffer.alloc(60 * 1024)).catch(() => {})
    await writeFile(join(folder, 'rest'), Buffer.alloc(16 * 1024)).catch(() => {})
    const enrolled = becomeEdge({ server: url, code: 'A', stateFolder: folder })
    await expect
      .poll(() => lastLines().join('\n'))
      .toContain('enrolment.json cannot be written: the disk is full (ENOSPC); retrying')
    expect(seen.calls).toBe(0)
    await writeFile(join(folder, 'filler'), '')
    expect(await enrolled).toMatchObject({ token: 'a-token' })
    expect(JSON.parse(await readFile(join(folder, 'edge.json'), 'utf8'))).toMatchObject({ token: 'a-token' })
    expect(seen.calls).toBe(1)
  },
)

test('a state folder without permission, and a file in its place, end the agent with the remedy', async () => {
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'file'), '')
  const args = ['--server', 'http://127.0.0.1:9', '--code', 'A']
  const agent = start({ args: ['--state', join(folder, 'file', 'state'), ...args] })
  expect(await agent.exited).toBe(78)
  expect(agent.text()).toMatch(/a part of its path is not a folder \(ENOTDIR\).*\n$/)
})

/** An enrolled agent with a program, and the process of the program. */
async function withProgram() {
  const folder = await temporaryFolder()
  const note = join(folder, 'program')
  const run = ['/bin/sh', '-c', `echo $$ > ${note}; exec sleep 600`]
  await writeFile(join(folder, 'edge.json'), JSON.stringify(state), { mode: 0o600 })
  await writeFile(
    join(folder, 'config.json'),
    JSON.stringify({ instances: [{ key: 'kiosk', label: 'Kiosk', run }] }),
  )
  const agent = start({ args: ['--state', folder], isGroup: true })
  await expect.poll(() => readFile(note, 'utf8').catch(() => '')).toMatch(/^\d+\n$/)
  const program = Number(await readFile(note, 'utf8'))
  onTestFinished(() => {
    if (isAlive(program)) process.kill(program, 'SIGKILL')
  })
  return { agent, program }
}

test.each([
  ['whose terminal is closed', (pid: number) => -pid],
  ['that receives SIGHUP', (pid: number) => pid],
])('an agent %s ends its programs and itself', async (_name, target) => {
  const { agent, program } = await withProgram()
  process.kill(target(agent.pid), 'SIGHUP')
  expect(await agent.exited).toBe(0)
  expect(agent.text()).toContain('The agent ends')
  expect(isAlive(program)).toBe(false)
})

test('an endpoint for values that is not free does not end the agent, and one that only a user can free does', async () => {
  const holder = createPlain()
  const port = await portOf(holder)
  const values = createOwnValues()
  onTestFinished(values.stop)
  await values.start({ port })
  expect(values.address()).toBeNull()
  expect(lastLines().join('\n')).toContain(`Programs cannot report values at the port ${port}`)
  const folder = await temporaryFolder()
  await mkdir(join(folder, 'state'))
  await writeFile(join(folder, 'file'), '')
  await writeFile(join(folder, 'state', 'edge.json'), JSON.stringify(state))
  const config = { values: { socket: join(folder, 'file', 'values.sock') } }
  await writeFile(join(folder, 'state', 'config.json'), JSON.stringify(config))
  await chmod(join(folder, 'state', 'edge.json'), 0o600)
  const agent = start({ args: ['--state', join(folder, 'state')] })
  expect(await agent.exited).toBe(78)
  expect(agent.text()).toContain('a part of its path is not a folder (ENOTDIR)')
})
