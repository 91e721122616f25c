import { once } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { lastLines } from './agent-log.ts'
import { createInstalled } from './installed.ts'
import { readState, writeState } from './state.ts'
import { by, chain, facts, file, first, forgedReleases, good, running, second } from './testing/releases.ts'
import { createUpdates } from './updates.ts'

const stateFolder = await mkdtemp(join(tmpdir(), 'pult-updates-'))
let answer: RequestListener
const http = createServer((request, response) => answer(request, response)).listen(0, '127.0.0.1')
await once(http, 'listening')
const server = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
afterAll(async () => {
  http.closeAllConnections()
  http.close()
  await rm(stateFolder, { recursive: true })
})

const asked: string[] = []
const serve = (release: unknown, given: Buffer = file) => {
  asked.length = 0
  answer = ({ url = '' }, response) => {
    asked.push(url)
    response.end(url.endsWith('.json') ? JSON.stringify(release) : given)
  }
}

/** An agent in an empty folder, and the messages to its supervisor. */
async function agent({
  pinned = first.key,
  version = running,
  hasKey = true,
  limits = { silence: 30_000, whole: 60_000, pauses: [0, 0] },
} = {}) {
  await rm(join(stateFolder, 'agent'), { recursive: true, force: true })
  await writeState(stateFolder, {
    server,
    edge: 'e',
    token: 't',
    usedCode: 'c',
    ...(hasKey && { releaseKey: pinned }),
  })
  const sent: object[] = []
  const updates = createUpdates({
    server,
    stateFolder,
    running: version,
    isOnTrial: false,
    noteReached: () => {},
    callSupervisor: async (message) => void sent.push(message),
    limits,
  })
  const stopping = new AbortController()
  const fetch = (isAsked = true) => updates.fetch({ onLine: () => {}, isAsked, signal: stopping.signal })
  const stored = () => readdir(join(stateFolder, 'agent')).catch(() => [])
  return { updates, fetch, sent, stored, stopping }
}

const next = { type: 'try', version: facts.version, sha256: facts.sha256 }

test('an agent stores the signed file of its server, hands it to the supervisor, and pins a successor of its key', async () => {
  serve(by(second, {}, chain.slice(0, 1)))
  const { fetch, sent, stored } = await agent()
  expect(await fetch()).toBe('2.5.0')
  expect(sent).toEqual([next])
  expect(await stored()).toEqual([`${facts.sha256}.mjs`])
  expect((await readState(stateFolder))?.releaseKey).toBe(second.key)
})

test.each(forgedReleases)(
  'no part of an update with %s is applied',
  async (_name, release, given, pinned, version) => {
    serve(release, given)
    const { fetch, sent, stored } = await agent({ ...(pinned && { pinned }), ...(version && { version }) })
    await expect(fetch()).rejects.toThrow()
    expect(sent).toEqual([])
    expect(await stored()).toEqual([])
    expect((await readState(stateFolder))?.releaseKey).toBe(pinned ?? first.key)
  },
)

test.each<[string, (url: string, response: Parameters<RequestListener>[1]) => void, string?]>([
  [
    'a connection that ends within the file',
    (url, response) => {
      if (url.endsWith('.json')) return response.end(JSON.stringify(good))
      response.writeHead(200, { 'content-length': file.length })
      return response.write(file.subarray(0, 10), () => response.destroy())
    },
  ],
  [
    'a file without an end',
    (url, response) => {
      if (url.endsWith('.json')) return response.end(JSON.stringify(good))
      const more = () => response.write(Buffer.alloc(100_000))
      response.on('drain', more)
      return more()
    },
  ],
  [
    'a redirect to another server',
    (_url, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    'cannot be reached: a proxy in front of it answers with status 302',
  ],
  [
    'a page of a proxy',
    (_url, response) => response.end('<html>'),
    'cannot be reached: a proxy in front of it answers with status 200',
  ],
  ['the answer of a server without an agent', (_url, response) => response.writeHead(404).end('{}')],
])('no part of an update from %s is applied', async (_name, respond, reason) => {
  answer = ({ url = '' }, response) => respond(url, response)
  const { fetch, sent, stored } = await agent()
  await expect(fetch()).rejects.toThrow(reason)
  expect(sent).toEqual([])
  expect(await stored()).toEqual([])
})

test('an update that cannot be stored is not downloaded, and leaves nothing, zaparoo-core#1334', async () => {
  serve(good)
  const { fetch, stored } = await agent()
  // Not a folder, so that nothing can be stored in it: root ignores modes.
  await writeFile(join(stateFolder, 'agent'), '')
  await expect(fetch()).rejects.toThrow()
  expect(asked).toHaveLength(1)
  await rm(join(stateFolder, 'agent'))
  expect(await fetch()).toBe('2.5.0')
  expect(await stored()).toEqual([`${facts.sha256}.mjs`])
})

/** Serves the release immediately, and its file as `give` does. */
const servePieces = (give: (response: ServerResponse, piece: (from: number) => Buffer) => void) => {
  answer = ({ url = '' }, response) => {
    if (url.endsWith('.json')) return void response.end(JSON.stringify(good))
    response.writeHead(200, { 'content-length': file.length })
    return give(response, (from) => file.subarray(from, from + 4))
  }
}

test('a slow link that is never silent for long downloads a file, however long it takes as a whole', async () => {
  const limits = { silence: 1000, whole: 60_000, pauses: [] }
  let took = 0
  servePieces((response, piece) => {
    const from = performance.now()
    let at = 0
    const timer = setInterval(() => {
      response.write(piece(at))
      at += 4
      if (at < file.length) return
      clearInterval(timer)
      took = performance.now() - from
      response.end()
    }, 150)
  })
  const { fetch, sent } = await agent({ limits })
  expect(await fetch()).toBe('2.5.0')
  expect(took).toBeGreaterThan(limits.silence)
  expect(sent).toEqual([next])
})

test('a download ends when no byte arrives after a while, at its longest time, and with the agent', async () => {
  const silent = (response: ServerResponse, piece: (from: number) => Buffer) => void response.write(piece(0))
  servePieces(silent)
  const impatient = await agent({ limits: { silence: 50, whole: 60_000, pauses: [] } })
  await expect(impatient.fetch()).rejects.toThrow('did not answer in time')
  const short = await agent({ limits: { silence: 60_000, whole: 200, pauses: [] } })
  await expect(short.fetch()).rejects.toThrow('did not answer in time')
  const stopped = await agent({ limits: { silence: 60_000, whole: 60_000, pauses: [60_000] } })
  servePieces((response, piece) => {
    silent(response, piece)
    stopped.stopping.abort()
  })
  await expect(stopped.fetch()).rejects.toThrow('cannot be reached')
})

test('a download that is interrupted starts again, and one that never begins is reported immediately', async () => {
  let downloads = 0
  servePieces((response, piece) => {
    downloads += 1
    if (downloads === 3) return void response.end(file)
    return void response.write(piece(0), () => response.destroy())
  })
  const { fetch, sent } = await agent()
  expect(await fetch()).toBe('2.5.0')
  expect(downloads).toBe(3)
  expect(sent).toEqual([next])
  asked.length = 0
  answer = ({ url = '' }, response) => {
    asked.push(url)
    response.destroy()
  }
  await expect((await agent()).fetch()).rejects.toThrow('cannot be reached')
  expect(asked).toHaveLength(1)
})

test('an agent refuses a version below the newest that it has tried, and downloads no file for it', async () => {
  const { fetch, sent } = await agent()
  await createInstalled(stateFolder, running).tryNext({ version: '2.6.0', sha256: facts.sha256 })
  await createInstalled(stateFolder, running).reject('It ended')
  serve(good)
  await expect(fetch()).rejects.toThrow('Version 2.5.0 is older than 2.6.0')
  expect(asked).toHaveLength(1)
  expect(sent).toEqual([])
})

test('an agent tries a recently failed version again only if asked, and reports the failure', async () => {
  const { updates, fetch, sent } = await agent()
  await createInstalled(stateFolder, running).tryNext({ version: facts.version, sha256: facts.sha256 })
  await createInstalled(stateFolder, running).reject('It ended')
  serve(good)
  await expect(fetch(false)).rejects.toThrow('Version 2.5.0 failed on this machine: It ended')
  expect(await updates.report()).toMatchObject({
    isReady: true,
    failed: { version: '2.5.0', reason: 'It ended' },
  })
  await fetch(true)
  expect(sent).toEqual([next])
})

test('an agent without a pinned key or a supervisor reports that it cannot update, and does not', async () => {
  serve(good)
  const { updates, fetch } = await agent({ hasKey: false })
  expect(await updates.report()).toEqual({ isReady: false, failed: null })
  await expect(fetch()).rejects.toThrow('No release key was pinned')
  expect(asked).toEqual([])
})

test('an agent runs one update at a time, and none while its file is on trial', async () => {
  serve(good)
  const { fetch, sent } = await agent()
  const results = await Promise.allSettled([fetch(), fetch()])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  expect(sent).toEqual([next])
  const trial: object[] = []
  const updates = createUpdates({
    server,
    stateFolder,
    running,
    isOnTrial: true,
    noteReached: () => {},
    callSupervisor: async (message) => void trial.push(message),
  })
  const request = { onLine: () => {}, isAsked: true, signal: new AbortController().signal }
  await expect(updates.fetch(request)).rejects.toThrow('under way')
  updates.confirm()
  updates.confirm()
  expect(trial).toEqual([{ type: 'healthy' }])
  const again = () => updates.fetch(request).catch(() => undefined)
  await expect.poll(again).toBe('2.5.0')
})

test('a trial whose acceptance cannot be saved reports again, and logs the reason once', async () => {
  await writeState(stateFolder, { server, edge: 'e', token: 't', usedCode: 'c' })
  const sent: object[] = []
  let isFull = true
  const updates = createUpdates({
    server,
    stateFolder,
    running,
    isOnTrial: true,
    noteReached: () => {},
    callSupervisor: async (message) => {
      sent.push(message)
      if (isFull) throw new Error(`The disk of ${stateFolder} is full`)
    },
  })
  const linesOf = (text: string) => lastLines().filter((line) => line.includes(text)).length
  const confirm = async () => {
    updates.confirm()
    await new Promise((resolve) => setImmediate(resolve))
  }
  await confirm()
  await confirm()
  expect(sent).toEqual([{ type: 'healthy' }, { type: 'healthy' }])
  expect(linesOf(`could not be confirmed: The disk of ${stateFolder} is full`)).toBe(1)
  isFull = false
  await confirm()
  await confirm()
  expect(sent).toHaveLength(3)
  expect(lastLines().at(-1)).toContain(`Agent ${running} is healthy`)
})
