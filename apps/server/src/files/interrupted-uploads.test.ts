import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { fileEndpoints } from '@pult/contract'
import { callEndpoint, freePort, sized, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'

/** Shares the database and the files with the node that the test kills. */
const server = await testServer()
const { db } = server
const node = join(import.meta.dirname, '../tasks/testing/task-node.ts')
const MiB = 1024 * 1024

/** The bytes after which the server confirms what it has received. */
const portion = 8 * MiB

async function startNode(): Promise<{ port: number; child: ChildProcess }> {
  const { host, port: databasePort, user, database } = server.testDatabase.connection
  const port = await freePort()
  const child = spawn(process.execPath, [node], {
    env: {
      PATH: process.env['PATH'],
      PORT: String(port),
      DATABASE_URL: `postgresql://${user}@localhost:${databasePort}/${database}?host=${encodeURIComponent(host)}`,
      PULT_SECRET: server.secret,
      PULT_DATA: server.dataFolder,
      FILES_FOLDER: join(server.dataFolder, 'files'),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  for await (const chunk of child.stdout) if (String(chunk).includes('is ready')) break
  return { port, child }
}

type Fault = 'cut' | '502' | 'reply lost' | 'killed'

/** Opens a proxy for one request, which it interrupts after this many bytes of it, or at its reply. */
async function proxyTo(port: number, fault: Fault | undefined, after: number, kill: () => void) {
  let passed = 0
  const proxy = createServer((near) => {
    const far = connect(port, 'localhost')
    for (const end of [near, far]) end.on('error', () => {})
    near.on('close', () => far.destroy())
    far.on('close', () => near.end())
    far.on('data', (chunk) => (fault === 'reply lost' ? near.destroy() : near.write(chunk)))
    near.on('data', (chunk) => {
      passed += chunk.length
      if (!far.write(chunk)) {
        near.pause()
        far.once('drain', () => near.resume())
      }
      if (fault === undefined || fault === 'reply lost' || passed < after) return
      if (fault === 'killed') return kill()
      if (fault === 'cut') near.destroy()
      else near.end('HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\nconnection: close\r\n\r\n')
      far.destroy()
    })
  })
  proxy.listen(0, 'localhost')
  await once(proxy, 'listening')
  return {
    port: (proxy.address() as AddressInfo).port,
    close: () => proxy.close(),
    passed: () => passed,
  }
}

/** Returns pseudo-random numbers from 0 to 1: a linear congruential generator. */
function numbersFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

test('FILE-01 RULE-71 random interruptions of an upload lose nothing and repeat at most one part each', {
  tags: ['long'],
  timeout: sized(60_000, 600_000),
}, async () => {
  const size = sized(60 * MiB, 500 * MiB) + 4321
  const faultsMost = sized(10, 50)
  const killsMost = sized(1, 5)
  const content = randomBytes(size)
  const next = numbersFrom(20_261_128)
  const contentType = 'application/octet-stream'
  const ada = await server.given.person()
  const body = { filename: 'a.bin', contentType, size }
  const { filename } = (await ada.call(fileEndpoints.create, { body })).body
  let current = await startNode()
  const params = { filename }
  const resume = () =>
    callEndpoint(`http://localhost:${current.port}`, ada.token, fileEndpoints.resume, { params })

  async function put(url: string, from: number, end: number, fault: Fault | undefined): Promise<number> {
    const { child } = current
    const after = Math.floor(next() * (end - from))
    const proxy = await proxyTo(current.port, fault, after, () => child.kill('SIGKILL'))
    const headers = {
      'content-type': contentType,
      'content-length': end - from,
      'content-range': `bytes ${from}-${end - 1}/${size}`,
    }
    await new Promise<void>((resolve) => {
      const request = httpRequest(`http://localhost:${proxy.port}${url}`, {
        method: 'PUT',
        headers,
        agent: false,
      })
      request.on('response', (response) => response.resume().on('close', resolve).on('error', resolve))
      request.on('error', () => resolve())
      request.end(content.subarray(from, end))
    })
    proxy.close()
    return proxy.passed()
  }

  let [faults, kills, sent] = [0, 0, 0]
  for (;;) {
    const resumed = await resume()
    if (resumed.code === 'NOT_FOUND') break
    // The server has not noticed the end of the connection yet.
    if (resumed.code === 'UPLOAD_RUNNING') continue
    expect(resumed).toSucceed()
    const { url, received } = resumed.body
    const left = faultsMost - faults
    const fault: Fault | undefined =
      left === 0
        ? undefined
        : faults % (faultsMost / killsMost) === 4
          ? 'killed'
          : (['cut', '502', 'reply lost'] as const)[Math.floor(next() * 3)]
    // The interruptions are spread over the whole file.
    const end =
      fault === undefined
        ? size
        : Math.min(size - 1, received + Math.ceil(((size - received) / (left + 1)) * 2 * next()))
    sent += await put(url, received, Math.max(end, received + 1), fault)
    if (fault === undefined) continue
    faults += 1
    if (fault !== 'killed') continue
    kills += 1
    if (current.child.exitCode === null && current.child.signalCode === null) {
      current.child.kill('SIGKILL')
      await once(current.child, 'exit')
    }
    await db.updateTable('upload_ticket').set({ held_until: sql<Date>`now()` }).execute()
    current = await startNode()
  }
  expect([faults, kills]).toEqual([faultsMost, killsMost])
  expect(sent).toBeLessThanOrEqual(size + (faults + 1) * portion)
  const { body: file } = await ada.call(fileEndpoints.complete, { params })
  const stored = await buffer(await server.app.files.open(file._id))
  const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
  expect(digest(stored)).toBe(digest(content))
})
