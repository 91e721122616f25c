import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { CollectionChange } from '@pult/contract'
import { sized, startLoad, supportedVersions, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { migrations } from '../../../migrations/index.ts'
import { explain } from '../app-error.ts'
import type { ReceivedEvent } from '../realtime/event-tail.ts'
import { openTestSocket } from '../realtime/test-socket.ts'
import { openDatabase } from './database.ts'
import { connectionOf, faultOfDatabaseUrl } from './hosts.ts'
import { migrateToLatest } from './migrate.ts'
import { replicatedClusters } from './testing/replicated-clusters.ts'
import { selfSigned } from './testing/self-signed.ts'

test.each([
  ['postgres://pult@one/pult', /^none$/],
  ['postgres://pult:s%40@one:1,two:2,[::1]:3/pult?target_session_attrs=read-write&sslmode=require', /^none$/],
  ['postgres://one,two/pult?target_session_attrs=primary', /^none$/],
  ['postgres://one,two/pult?target_session_attrs=any', /read-write/],
  ['postgres://one:x,two/pult', /must be a URL/],
  ['postgres://u@/pult?host=/folder', /^none$/],
  ['postgres:///pult?host=/folder', /^none$/],
  ['postgres://u@%2Ffolder/pult', /^none$/],
  ['postgresql://one:5432,two:5432/pult', /^none$/],
  ['postgres://u:p@s,s@one,two/pult', /^none$/],
  ['/folder pult', /^none$/],
  ['socket:/folder?db=pult', /^none$/],
  ['host=one dbname=pult', /must be a URL .*for example postgres:\/\/pult:PASSWORD@/],
  ['postgres://u:pa#ss@one/pult', /percent-encoded.*# as %23/],
  ['postgres://u:pa/ss@one/pult', /percent-encoded/],
  ['postgres://u:pa?ss@one/pult', /percent-encoded/],
  ['postgres://u:12#34@one/pult', /percent-encoded/],
  ['postgres://u:12/34@one/pult', /percent-encoded/],
  ['postgres://u:12?34@one/pult', /percent-encoded/],
  ['postgres://u@one:99999/pult', /port 99999, but ports end at 65535, for example/],
  ['postgres://u@one/pult?port=five', /is not valid: Invalid port: five/],
  [
    'postgres://u@one/pult?sslmode=requir',
    /unknown sslmode: use one of .*, for example \?sslmode=verify-full/,
  ],
  ['postgres://u@one/pult?sslrootcert=/none', /names the file \/none, which cannot be read \(ENOENT\)/],
  ['postgres:///pult?host=one,two', /several hosts before the database, for example/],
])('the hosts of %s are accepted or refused', (url, fault) => {
  expect(faultOfDatabaseUrl(url) ?? 'none').toMatch(fault)
})

test('hosts that take no writes count as an unavailable database', async () => {
  const connection = connectionOf('postgres://pult@127.0.0.1:1,127.0.0.1:2/pult')
  const { db, close } = openDatabase({ connection, max: 1, onError: () => {} })
  await expect(sql`select 1`.execute(db)).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' })
  await close()
})

test('each connection compares the certificate with its own host, and a failed start names both', async () => {
  const clusters = await replicatedClusters()
  const { port } = new URL(clusters.primaryUrl)
  const [right, wrong] = [selfSigned('localhost'), selfSigned('127.0.0.1')]
  const folder = await mkdtemp(join(tmpdir(), 'pult-tls-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const trusted = join(folder, 'trusted.pem')
  await writeFile(trusted, right.certificate + wrong.certificate)
  const tls = `sslmode=verify-full&sslrootcert=${trusted}`
  const url = `postgres://pult@127.0.0.1:1,localhost:${port}/pult?${tls}`
  const connection = connectionOf(url)
  async function connect(): Promise<unknown> {
    const { db, close } = openDatabase({ connection, max: 1, limits: {}, onError: () => {} })
    try {
      return (await sql`select ssl from pg_stat_ssl where pid = pg_backend_pid()`.execute(db)).rows[0]
    } catch (error) {
      return explain(error)
    } finally {
      await close()
    }
  }

  await clusters.serveTls(right)
  await expect.poll(connect).toEqual({ ssl: true })
  // The host was probed a moment ago, so only this connection can notice.
  await clusters.serveTls(wrong)
  const isWrong = async () => {
    const ssl = { ca: wrong.certificate }
    const client = new pg.Client({
      host: '127.0.0.1',
      port: Number(port),
      user: 'pult',
      database: 'pult',
      ssl,
    })
    const connected = client.connect().then(
      () => true,
      () => false,
    )
    return (await connected) && client.end().then(() => true)
  }
  await vi.waitUntil(isWrong, { timeout: 30_000, interval: 20 })
  const refusal = /Host: localhost\. is not .*127\.0\.0\.1/
  expect(await connect()).toMatch(refusal)

  // One of the hosts may return, so the start waits.
  const settings = { DATABASE_URL: url, PULT_SECRET: 's'.repeat(32), PULT_DATA: folder, PORT: '1' }
  const main = join(import.meta.dirname, '../../main.mjs')
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], ...settings }
  const server = spawn(process.execPath, [main], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  onTestFinished(() => void server.kill('SIGKILL'))
  let errors = ''
  server.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  await expect.poll(() => errors, { timeout: 30_000 }).toMatch(refusal)
  expect(errors).toMatch(
    /^Pult waits for the database: no host of DATABASE_URL takes writes .*nothing listens/,
  )
  server.kill('SIGTERM')
  expect(await once(server, 'exit')).toEqual([0, null])
})

const [reads, writes] = sized([27, 10], [270, 30])
const now = () => performance.timeOrigin + performance.now()
/** Milliseconds of writes before and after the fail-over. */
const calm = sized(500, 10_000)

test.for(await supportedVersions())(
  'after a fail-over of $name every node writes within 10 s, no acknowledged write is lost, and every event arrives once in order',
  {
    tags: ['long'],
  },
  async ({ sources }) => {
    const clusters = await replicatedClusters({ sources })
    const connection = connectionOf(clusters.url)
    if (!('host' in connection)) throw new Error('there are two hosts')
    const own = openDatabase({ connection, max: 1, limits: {}, onError: () => {} })
    await migrateToLatest(own.db, migrations)
    const dataFolder = await mkdtemp(join(tmpdir(), 'pult-failover-'))
    const besides = {
      testDatabase: { connection, drop: async () => {} },
      secret: randomBytes(32).toString('base64'),
      dataFolder,
    }
    const hasCallLimits = true
    const nodes = [await testServer({ besides, hasCallLimits }), await testServer({ besides, hasCallLimits })]
    onTestFinished(async () => {
      await Promise.all(nodes.map((node) => node.stop()))
      await own.close()
      await rm(dataFolder, { recursive: true })
    })
    const [first] = nodes
    if (first === undefined) throw new Error('there is no node')
    const ada = await first.given.person()
    const { projectId } = await first.given.project(ada)

    const received = nodes.map(() => [] as ReceivedEvent[])
    let gaps = 0
    for (const [index, { app }] of nodes.entries()) {
      app.events.listen((event) => received[index]?.push(event))
      app.events.onGap(() => {
        gaps += 1
      })
    }
    const { rows: starts } = await sql<{ id: number }>`select last_value as id from event_id_seq`.execute(
      own.db,
    )

    const start = starts[0]?.id ?? 0
    /** Waits until the database answers. */
    const noteIds = () =>
      vi.waitUntil(
        () =>
          sql<{ id: string }>`select id from note`.execute(own.db).then(
            ({ rows }) => rows.map(({ id }) => id),
            () => undefined,
          ),
        { timeout: 60_000, interval: 50 },
      )
    const sockets = await Promise.all(
      nodes.map(async ({ url }) => {
        const socket = await openTestSocket(url, { token: ada.token })
        await socket.ask({ type: 'subscribe', topic: `/projects/${projectId}/notes` })
        // A subscription that starts again has missed events, so a client refetches: see `serverMessage`.
        const refetches: Promise<string[]>[] = []
        socket.ws.on('message', () => {
          if (socket.messages.at(-1)?.type === 'subscribed') refetches.push(noteIds())
        })
        return { socket, refetches }
      }),
    )
    const urls = nodes.map(({ url }) => url)
    const load = startLoad({ urls, token: ada.token, projectId, reads, writes })
    onTestFinished(() => load.terminate())

    await vi.waitUntil(() => load.written.length > 10, { timeout: 30_000 })
    await delay(calm)
    await clusters.killPrimary()
    const promotedAt = now()
    await clusters.promote()
    const writesAgain = () =>
      nodes.every((_, node) => load.written.some((one) => one.node === node && one.from > promotedAt))
    await vi.waitUntil(writesAgain, { timeout: 60_000, interval: 10 })
    const took = now() - promotedAt
    await delay(calm)
    const { answered, seconds } = await load.stop()

    const { rows: notes } = await sql<{ id: string; label: string }>`select id, label from note`.execute(
      own.db,
    )
    const labels = new Map(notes.map(({ id, label }) => [id, label]))
    expect(load.written.filter(({ id }) => !labels.has(id))).toEqual([])
    expect([...load.updated].filter((id) => labels.get(id)?.endsWith(' again') !== true)).toEqual([])
    const { rows: events } = await sql<{ id: number }>`
      select id from event where id > ${start} order by id`.execute(own.db)
    const sorted = (all: ReceivedEvent[]) =>
      all
        .map(({ id }) => id)
        .filter((id) => id > start)
        .toSorted((a, b) => a - b)
    const expected = events.map(({ id }) => id)
    await expect.poll(() => received.map(sorted)).toEqual([expected, expected])
    for (const inArrival of received) {
      const revisions = new Map<string, number>()
      for (const { data } of inArrival) {
        const { id, revision } = data as { id?: string; revision?: number }
        if (id === undefined || revision === undefined) continue
        expect(revision).toBeGreaterThan(revisions.get(id) ?? 0)
        revisions.set(id, revision)
      }
      expect(Math.max(...revisions.values())).toBeGreaterThan(1)
    }
    expect(gaps).toBe(0)
    let refetched = 0
    for (const { socket, refetches } of sockets) {
      const unseen = async () => {
        const seen = new Set((await Promise.all(refetches)).flat())
        for (const message of socket.messages)
          if (message.type === 'event') seen.add(String((message.data as CollectionChange).id))
        return load.written.filter(({ id }) => !seen.has(id))
      }
      await expect.poll(unseen).toEqual([])
      expect(socket.isOpen()).toBe(true)
      refetched += refetches.length
    }
    const jobs = () =>
      clusters
        .askStandby(`select from pg_stat_activity where application_name = 'pult jobs'`)
        .then((rows) => rows.length)
    await expect.poll(jobs).toBeGreaterThanOrEqual(nodes.length * 2)
    process.stdout.write(
      `fail-over at ${reads} reads/s and ${writes} writes/s: ${Math.round(answered / seconds)} calls/s answered, ${load.written.length} notes acknowledged, written again on all nodes after ${Math.round(took)} ms, ${refetched} refetches\n`,
    )
  },
)
