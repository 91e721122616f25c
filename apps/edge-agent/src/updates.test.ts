import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
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
async function agent({ pinned = first.key, version = running, hasKey = true } = {}) {
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
    callSupervisor: async (message) => void sent.push(message),
  })
  const fetch = (isAsked = true) => updates.fetch({ onLine: () => {}, isAsked })
  const stored = () => readdir(join(stateFolder, 'agent')).catch(() => [])
  return { updates, fetch, sent, stored }
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
    callSupervisor: async (message) => void trial.push(message),
  })
  await expect(updates.fetch({ onLine: () => {}, isAsked: true })).rejects.toThrow('under way')
  updates.confirm()
  updates.confirm()
  expect(trial).toEqual([{ type: 'healthy' }])
  const again = () => updates.fetch({ onLine: () => {}, isAsked: true }).catch(() => undefined)
  await expect.poll(again).toBe('2.5.0')
})
