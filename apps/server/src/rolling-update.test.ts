import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type CollectionChange, serverMessage } from '@pult/contract'
import { createTestDatabase, sized, startCluster, startLoad, testServer } from '@pult/testkit'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openTestSocket } from '#platform/realtime/test-socket.ts'

const [reads, writes] = sized([27, 10], [270, 30])
const calm = sized(0, 10_000)
/** Milliseconds within which an event must arrive: longer in `npm test`, which runs other tests at the same time. */
const arrival = sized(5000, 1000)

const now = () => performance.timeOrigin + performance.now()

test('a rolling update of three nodes fails no request and loses no event', {
  tags: ['long'],
  timeout: 300_000,
}, async () => {
  const testDatabase = await createTestDatabase()
  const { host, port, user, database } = testDatabase.connection
  const secret = randomBytes(32).toString('base64')
  const folder = await mkdtemp(join(tmpdir(), 'pult-cluster-'))
  // Creates the person and the project, and stops.
  const origin = await testServer({ besides: { testDatabase, secret, dataFolder: folder } })
  const ada = await origin.given.person()
  const { projectId } = await origin.given.project(ada)
  await origin.stop()

  const lines: string[] = []
  const query = new URLSearchParams({ host, port: String(port), user })
  const cluster = await startCluster({
    databaseUrl: `postgresql:///${database}?${query.toString()}`,
    secret,
    folder,
    onLine: (line) => lines.push(line),
  })
  onTestFinished(async () => {
    await cluster.stop()
    await testDatabase.drop()
    await rm(folder, { recursive: true, force: true })
  })

  // Like the console: subscribes again after a socket was closed, and refetches the changes in between.
  const received = new Set<string>()
  const subscribed: { from: number; to: number }[] = []
  const over = new AbortController()
  async function listen(): Promise<void> {
    while (!over.signal.aborted) {
      const socket = await openTestSocket(cluster.url, { token: ada.token }).catch(() => undefined)
      if (socket?.isOpen() !== true) {
        await delay(50)
        continue
      }
      socket.ws.on('message', (data) => {
        const message = serverMessage.parse(JSON.parse((data as Buffer).toString()))
        if (message.type === 'event') received.add((message.data as CollectionChange).id ?? '')
      })
      await socket.ask({ type: 'subscribe', topic: `/projects/${projectId}/notes` })
      const window = { from: now(), to: Number.POSITIVE_INFINITY }
      subscribed.push(window)
      await socket.closed
      window.to = now()
    }
  }
  void listen()

  const load = startLoad({ urls: [cluster.url], token: ada.token, projectId, reads, writes })
  onTestFinished(() => {
    over.abort()
    return load.terminate()
  })
  await vi.waitUntil(() => load.written.length > writes, { timeout: 30_000 })
  await delay(calm)
  await cluster.roll()
  await delay(calm)
  const { answered, seconds } = await load.stop()
  expect(load.failures).toEqual([])
  expect(subscribed.length).toBeGreaterThan(1)
  // Expects events only for notes that were written while the socket was subscribed.
  const expected = load.written.filter(({ from, to }) =>
    subscribed.some((window) => window.from < from && to + arrival < window.to),
  )
  expect(expected.length).toBeGreaterThan(writes)
  await expect.poll(() => expected.filter(({ id }) => !received.has(id))).toEqual([])
  const memory = cluster.pids().map((pid) => {
    const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Math.round(Number(kilobytes) / 1024)
  })
  process.stdout.write(
    `rolling update at ${reads} reads/s and ${writes} writes/s: ${Math.round(answered / seconds)} calls/s answered, 0 failed, ${received.size} of ${load.written.length} notes received live, MiB of nodes: ${memory.join(', ')}\n`,
  )
})
