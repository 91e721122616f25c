import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  apiBase,
  conditionEndpoints,
  emailEndpoints,
  noteEndpoints,
  projectTaskEndpoints,
  taskEndpoints,
} from '@pult/contract'
import { createTestDatabase, lineTo, onFileEnd, supportedVersions, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { migrations } from '../../../migrations/index.ts'
import { openDatabase } from './database.ts'
import { connectionOf } from './hosts.ts'
import { migrateToLatest } from './migrate.ts'
import { replicatedClusters } from './testing/replicated-clusters.ts'

const backend = sql<{ pid: number }>`select pg_backend_pid() as pid`
const readOnly = sql`set session characteristics as transaction read only`

test('a connection that has become read-only and all older ones are discarded after the first refused write', async () => {
  const own = await createTestDatabase()
  onFileEnd(own.drop)
  const { db, close } = openDatabase({ connection: own.connection, max: 2, onError: () => {} })
  onTestFinished(close)
  const pids = async () => {
    const both = [db, db].map((one) =>
      one.connection().execute(async (held) => (await backend.execute(held)).rows[0]?.pid),
    )
    return Promise.all(both)
  }
  const before = await pids()
  await db.connection().execute((held) => readOnly.execute(held))
  await expect(
    Promise.all([1, 2].map(() => sql`update node set name = name`.execute(db))),
  ).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' })
  await expect(sql`update node set name = name`.execute(db)).resolves.toBeDefined()
  expect((await pids()).filter((pid) => before.includes(pid))).toEqual([])
})

test('a server that takes only reads gets no connection, except for the reads of a replica', async () => {
  const own = await createTestDatabase()
  const admin = new pg.Client({ ...own.connection, database: 'postgres' })
  await admin.connect()
  onFileEnd(async () => {
    await admin.end()
    await own.drop()
  })
  await admin.query(
    `alter database ${pg.escapeIdentifier(own.connection.database)} set default_transaction_read_only = on`,
  )
  const open = (isForReads: boolean) => {
    const opened = openDatabase({ connection: own.connection, max: 1, isForReads, onError: () => {} })
    onTestFinished(opened.close)
    return sql`select 1 as one`.execute(opened.db)
  }
  await expect(open(false)).rejects.toMatchObject({
    code: 'DATABASE_UNAVAILABLE',
    cause: { code: '25006' },
  })
  expect((await open(true)).rows).toEqual([{ one: 1 }])
})

test.for(await supportedVersions())(
  'after a switch to a promoted standby of $name, all work moves there from a former primary that still answers reads',
  {
    tags: ['long'],
  },
  async ({ sources }) => {
    const clusters = await replicatedClusters({ sources })
    const [primary, standby] = [clusters.primaryUrl, clusters.standbyUrl].map((url) =>
      Number(new URL(url).port),
    )
    // The address of a load balancer, a virtual IP or a name.
    const target = { port: primary ?? 0 }
    const line = await lineTo(target)
    const several = connectionOf(clusters.url)
    const single = connectionOf(`postgres://pult@127.0.0.1:${line.port}/pult`)
    const own = openDatabase({ connection: several, max: 1, limits: {}, onError: () => {} })
    await migrateToLatest(own.db, migrations)
    const dataFolder = await mkdtemp(join(tmpdir(), 'pult-switch-'))
    const besides = { secret: randomBytes(32).toString('base64'), dataFolder }
    const nodeOn = (connection: unknown) =>
      testServer({
        besides: { ...besides, testDatabase: { connection: connection as never, drop: async () => {} } },
        hasCallLimits: true,
      })
    const nodes = [await nodeOn(single), await nodeOn(several)] as const
    onTestFinished(async () => {
      await Promise.all(nodes.map((node) => node.stop()))
      await own.close()
      await rm(dataFolder, { recursive: true })
    })
    const ada = await nodes[0].given.person({ isRoot: true, otp: true })
    const { projectId } = await nodes[0].given.project(ada)
    const params = { projectId }
    const received = nodes.map(() => new Set<unknown>())
    for (const [index, { app }] of nodes.entries())
      app.events.listen(({ data }) => received[index]?.add(data['id']))
    const readyOf = async ({ url }: { url: string }) => (await fetch(`${url}${apiBase}/health/ready`)).status
    for (const node of nodes) await expect.poll(() => readyOf(node)).toBe(200)

    await clusters.askPrimary('alter system set default_transaction_read_only = on')
    await clusters.askPrimary('select pg_reload_conf()')
    for (const node of nodes) await expect.poll(() => readyOf(node)).toBe(503)
    await clusters.promote()
    target.port = standby ?? 0

    for (const node of nodes) {
      const create = () => node.call(noteEndpoints.create, { params, body: { label: 'New' } }, ada.token)
      await expect.poll(async () => (await create()).status).toBe(200)
      await expect.poll(() => readyOf(node)).toBe(200)
    }
    const note = await nodes[0].call(noteEndpoints.create, { params, body: { label: 'Last' } }, ada.token)
    await expect.poll(() => received.map((ids) => ids.has(note.body._id))).toEqual([true, true])
    const left = () =>
      clusters.askPrimary(
        `select application_name from pg_stat_activity where application_name in ('pult events', 'pult jobs')`,
      )
    await expect.poll(left).toEqual([])

    // Background work may still be moving: until then, calls that need it fail with BUSY.
    const addEmail = () =>
      nodes[0].call(emailEndpoints.create, { body: { email: 'new@example.org' } }, ada.token)
    await expect.poll(async () => (await addEmail()).status).toBe(200)
    const areMailsSent = async () => {
      const mails = await own.db.selectFrom('mail').select('sent_at').execute()
      return mails.length > 0 && mails.every(({ sent_at }) => sent_at !== null)
    }
    await expect.poll(areMailsSent).toBe(true)
    const { body: task } = await nodes[1].call(projectTaskEndpoints.export, { params, body: {} }, ada.token)
    const ended = async () =>
      (await nodes[1].call(taskEndpoints.read, { params: { ...params, taskId: task._id } }, ada.token)).body
        .fulfilledAt
    await expect.poll(ended).not.toBeNull()
    const { rows: times } = await sql<{ now: string }>`select now()::text as now`.execute(own.db)
    const beats = async () => {
      await Promise.all(nodes.map((node) => node.call(conditionEndpoints.read, {}, ada.token)))
      const { rows } = await sql<{ beats: number }>`
        select count(*) as beats from node where seen_at > ${times[0]?.now}::timestamptz`.execute(own.db)
      return rows[0]?.beats
    }
    await expect.poll(beats).toBe(2)
  },
)
