import { spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { agentMessage, type EdgeReport } from '@pult/contract'
import { sized } from '@pult/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocketServer } from 'ws'
import { buildEdgeAgent } from '../../../tools/build-edge-agent.ts'
import { thirdPartyModules } from '../../../tools/third-party/third-party-tool.ts'
import { writeState } from './state.ts'
import { temporaryFolder } from './testing/temporary-folder.ts'

/* The agent of an enrolled machine as a process, on machines that few developers have. */

const main = join(import.meta.dirname, 'main.ts')
const builtFile = join(import.meta.dirname, '../../../dist/edge-agent/edge-agent.mjs')

/** Runs a command as root with separate mounts, which nothing else sees. */
const isolated = ['--map-root-user', '--mount']
const canMount = () =>
  spawnSync('unshare', [...isolated, 'mount', '-t', 'tmpfs', 'none', '/tmp']).status === 0

/** Starts a server, and an agent that is enrolled at it. `wrap` returns the command that runs the agent. */
async function site(
  wrap: (agent: string[], folder: string) => string[],
  file = main,
  node = process.execPath,
) {
  const sockets = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  await once(sockets, 'listening')
  onTestFinished(() => {
    for (const ws of sockets.clients) ws.terminate()
    sockets.close()
  })
  const reports: EdgeReport[] = []
  const outcomes: unknown[] = []
  sockets.on('connection', (ws) => {
    ws.on('error', () => {})
    ws.on('message', (data) => {
      const message = agentMessage.parse(JSON.parse((data as Buffer).toString()))
      if (message.type === 'hello')
        ws.send(JSON.stringify({ type: 'welcome', label: 'Hall 3', reportEvery: 5000, protocol: 2 }))
      else if (message.type === 'report') reports.push(message.report)
      else if (message.type === 'answer' && message.outcome !== undefined) outcomes.push(message.outcome)
    })
  })
  const folder = await temporaryFolder()
  await writeState(folder, {
    server: `http://127.0.0.1:${(sockets.address() as AddressInfo).port}`,
    edge: '018f0000-0000-7000-8000-000000000000',
    token: 't',
    usedCode: '',
  })
  const [program = '', ...args] = wrap([node, file, '--state', folder], folder)
  const child = spawn(program, args, {
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  onTestFinished(async () => {
    const ended = once(child, 'exit')
    if (child.kill('SIGTERM')) await ended
  })
  /** Waits for another report, and fails with the output of the agent. */
  const nextReport = async () => {
    const before = reports.length
    await expect.poll(() => reports.length > before || output, { timeout: 60_000 }).toBe(true)
    return reports.at(-1) as EdgeReport
  }
  const command = (name: 'diagnostics' | 'restart' = 'diagnostics') => {
    const message = { type: 'command', id: randomUUID(), command: { name }, isRepeated: true }
    for (const ws of sockets.clients) ws.send(JSON.stringify(message))
  }
  return { nextReport, command, outcomes, pid: () => child.pid }
}

/** A shell command before the agent. `$1` is its state folder. */
const after =
  (script: string) =>
  (agent: string[], folder: string): string[] => [
    'unshare',
    ...isolated,
    'sh',
    '-ec',
    `${script}\nshift\nexec "$@"`,
    'sh',
    folder,
    ...agent,
  ]

/** Puts the state of the agent on a separate disk. */
const ownDisk = (size: string) => `state=$(cat "$1/edge.json")
  mount -t tmpfs -o mode=700,size=${size} none "$1"
  printf %s "$state" > "$1/edge.json"
  chmod 600 "$1/edge.json"`

test('an agent on a machine with 300 mounts reports', { tags: ['long'] }, async ({ skip }) => {
  if (!canMount()) return skip('needs user namespaces that may mount')
  const { nextReport, pid } = await site(
    after('for n in $(seq 300); do mkdir -p "$1/m/$n"; mount -t tmpfs none "$1/m/$n"; done'),
  )
  const report = await nextReport()
  expect(report.missing).toBeUndefined()
  expect(report.disk?.total).toBeGreaterThan(0)
  const mounts = await readFile(`/proc/${pid()}/mountinfo`, 'utf8')
  expect(mounts.split('\n').length).toBeGreaterThan(300)
})

test.for([
  [
    'read-only',
    `${ownDisk('1m')}\nmount -o remount,ro "$1"`,
    'read-only file system',
    { total: 1_048_576, free: expect.any(Number) },
  ],
  [
    'full',
    `${ownDisk('64k')}\ncat /dev/zero > "$1/filler" 2> /dev/null || true`,
    'no space left',
    { total: 65_536, free: 0 },
  ],
] as const)(
  'an enrolled agent whose state folder is on a %s disk connects, reports, and refuses what it cannot note',
  { tags: ['long'] },
  async ([_name, script, reason, disk], { skip }) => {
    if (!canMount()) return skip('needs user namespaces that may mount')
    const { nextReport, command, outcomes } = await site(after(script))
    const report = await nextReport()
    expect(report.missing).toBeUndefined()
    expect(report.disk).toEqual(disk)
    command('restart')
    const refused = {
      ok: false,
      error: expect.stringMatching(new RegExp(`could not be saved: .*${reason}`, 'i')),
    }
    await expect.poll(() => outcomes).toEqual([refused])
    // They show what is wrong, and change nothing.
    command('diagnostics')
    await expect.poll(() => outcomes).toEqual([refused, expect.objectContaining({ ok: true })])
    await nextReport()
  },
)

test.for(['22.23.3', '24.21.0'])(
  'the built agent connects and reports under the real Node %s',
  { tags: ['long'], timeout: 300_000 },
  async (version, { skip }) => {
    const name = `node-${process.platform}-${process.arch}`
    const found = await thirdPartyModules(`Node ${version}`, [`${name}@${version}`], {
      mayRun: sized(false, true),
    })
    if (typeof found !== 'string') return skip(found.reason)
    await buildEdgeAgent()
    const { nextReport, command, outcomes } = await site(
      (agent) => agent,
      builtFile,
      join(found, name, 'bin/node'),
    )
    expect((await nextReport()).missing).toBeUndefined()
    command()
    await expect.poll(() => outcomes).toEqual([{ ok: true, info: expect.any(String) }])
  },
)
