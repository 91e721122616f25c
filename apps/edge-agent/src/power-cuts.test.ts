import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { watch } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { edgeCloseCodes } from '@pult/contract'
import { sized } from '@pult/testkit'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { WebSocketServer } from 'ws'
import { buildEdgeAgent } from '../../../tools/build-edge-agent.ts'
import { readPointer } from './installed.ts'
import { writeState } from './state.ts'
import { by, first } from './testing/releases.ts'
import { version } from './version.ts'

/* Runs the built agent as a separate process. It updates itself from a server whose answers the test controls. */

const builtFile = join(import.meta.dirname, '../../../dist/edge-agent/edge-agent.mjs')
const [major, minor] = version.split('.').map(Number)
const newVersion = `${major}.${(minor ?? 0) + 1}.0`
let newFile: Buffer
beforeAll(async () => {
  await buildEdgeAgent()
  const text = await readFile(builtFile, 'utf8')
  newFile = Buffer.from(text.replace(`version: "${version}"`, `version: "${newVersion}"`))
})

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

/** The steps of an update in order, as an observer sees them. */
const steps = [
  'manifest requested',
  'file requested',
  'half of the file sent',
  'whole file sent',
  'file begun',
  'file stored',
  'handed over',
  'trial started',
  'trial greets',
  'trial welcomed',
  'trial reported',
  'trial accepted',
] as const
type Step = (typeof steps)[number]

interface Served {
  file?: Buffer
  /** Whether the server speaks a protocol of the version. */
  admits?: (version: string) => boolean
}

/**
 * Starts a server of the new version that makes each older agent update itself, with the state of an enrolled machine.
 */
async function site({ file = newFile, admits = () => true }: Served = {}) {
  const sha256 = createHash('sha256').update(file).digest('hex')
  const release = by(first, { version: newVersion, minimum: version, sha256, size: file.length })
  let onStep: (step: Step) => void = () => {}
  const greeted: string[] = []
  const reports: { version: string; update?: unknown }[] = []

  const http = createServer(({ url = '' }, response) => {
    if (url.endsWith('.json')) {
      onStep('manifest requested')
      return response.end(JSON.stringify(release))
    }
    onStep('file requested')
    response.writeHead(200, { 'content-length': file.length })
    const half = Math.floor(file.length / 2)
    return response.write(file.subarray(0, half), () => {
      onStep('half of the file sent')
      response.end(file.subarray(half), () => onStep('whole file sent'))
    })
  }).listen(0, '127.0.0.1')
  await once(http, 'listening')
  const sockets = new WebSocketServer({ server: http })
  sockets.on('connection', (ws) => {
    let greets = ''
    ws.on('error', () => {})
    ws.on('message', (data) => {
      const message = JSON.parse((data as Buffer).toString())
      const isNew = greets === newVersion
      if (message.type === 'hello') {
        greets = message.version
        greeted.push(greets)
        if (greets === newVersion) onStep('trial greets')
        if (!admits(greets)) return ws.close(edgeCloseCodes.protocol)
        ws.send(JSON.stringify({ type: 'welcome', label: 'Hall 3', reportEvery: 5000, protocol: 2 }))
        if (greets === newVersion) onStep('trial welcomed')
      } else if (message.type === 'report') {
        if (isNew) onStep('trial reported')
        const isFirst = !reports.some((report) => report.version === greets)
        reports.push({ version: greets, update: message.report.update })
        if (isNew || (file !== newFile && !isFirst)) return
        const command = { name: 'update' }
        ws.send(JSON.stringify({ type: 'command', id: crypto.randomUUID(), command }))
      }
    })
  })
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  ends.push(() => {
    for (const ws of sockets.clients) ws.terminate()
    http.closeAllConnections()
    http.close()
  })

  const stateFolder = await mkdtemp(join(tmpdir(), 'pult-cut-'))
  ends.push(() => rm(stateFolder, { recursive: true, force: true, maxRetries: 5 }))
  await writeState(stateFolder, { server: url, edge: 'e', token: 't', usedCode: 'c', releaseKey: first.key })
  const folder = join(stateFolder, 'agent')
  await mkdir(folder)
  const watcher = watch(folder, (_event, name) => {
    if (name === `${sha256}.mjs.next`) onStep('file begun')
    else if (name === `${sha256}.mjs`) onStep('file stored')
    else void lookAtPointer()
  })
  ends.push(() => watcher.close())
  async function lookAtPointer(): Promise<void> {
    const { current, trial } = await readPointer(stateFolder)
    if (current !== null) onStep('trial accepted')
    else if (trial !== null) onStep(trial.starts === 0 ? 'handed over' : 'trial started')
  }

  return {
    stateFolder,
    greeted,
    reports,
    observe(listener: (step: Step) => void): void {
      onStep = listener
    },
  }
}

/** Starts the agent and its worker in their own process group, as a machine with a power switch. */
function switchOn(stateFolder: string) {
  const child: ChildProcess = spawn(process.execPath, [builtFile, '--state', stateFolder], {
    env: { PATH: process.env['PATH'] },
    stdio: 'ignore',
    detached: true,
  })
  const exited = once(child, 'exit')
  const cut = async () => {
    try {
      process.kill(-(child.pid ?? 0), 'SIGKILL')
    } catch {
      // The group has ended.
    }
    await exited
  }
  ends.push(cut)
  return { cut }
}

/** Cuts the power when the step or a later one is observed, switches on again, and waits for the new agent. */
async function survive(step: Step, delay: number): Promise<string> {
  const { stateFolder, observe } = await site()
  const seen = Promise.withResolvers<void>()
  observe((now) => {
    if (steps.indexOf(now) >= steps.indexOf(step)) seen.resolve()
  })
  const before = switchOn(stateFolder)
  await seen.promise
  await sleep(delay)
  await before.cut()
  const after = switchOn(stateFolder)
  await expect
    .poll(() => readPointer(stateFolder), { timeout: 60_000, interval: 50 })
    .toMatchObject({ current: { version: newVersion }, trial: null })
  await after.cut()
  return step
}

test('an agent whose power is cut at any step of an update starts again and becomes current', {
  tags: ['long'],
  timeout: sized(120_000, 1_800_000),
}, async () => {
  const cuts = Array.from({ length: sized(steps.length, 200) }, (_none, index) => ({
    step: steps[index % steps.length] as Step,
    delay: index < steps.length ? 0 : Math.random() * 100,
  }))
  const survived: string[] = []
  const work = cuts.values()
  await Promise.all(
    Array.from({ length: 3 }, async () => {
      for (const { step, delay } of work) survived.push(await survive(step, delay))
    }),
  )
  expect(survived).toHaveLength(cuts.length)
})

test('an agent without a common protocol installs the agent of the server', async () => {
  const { stateFolder, greeted, reports } = await site({ admits: (greets) => greets === newVersion })
  switchOn(stateFolder)
  await expect.poll(() => reports.length).toBeGreaterThan(0)
  expect(new Set(greeted)).toEqual(new Set([version, newVersion]))
  expect(reports[0]?.version).toBe(newVersion)
})

test('an agent returns to its former file if the new one does not work, and reports why', async () => {
  const { stateFolder, reports } = await site({ file: Buffer.from('process.exit(1)\n') })
  switchOn(stateFolder)
  await expect
    .poll(() => reports.slice(0, 2))
    .toMatchObject([
      { version, update: { isReady: true, failed: null } },
      {
        version,
        update: { failed: { version: newVersion, reason: 'It exited with code 1 before it had reported' } },
      },
    ])
})
