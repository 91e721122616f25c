import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  apiBase,
  auditEndpoints,
  conditionEndpoints,
  edgeEndpoints,
  edgeValueEndpoints,
  projectEndpoints,
  projectTaskEndpoints,
} from '@pult/contract'
import { taskEnd, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { migrations } from '../../../migrations/index.ts'
import { createLog } from '../log.ts'
import { type Db, openDatabase, type Statement } from './database.ts'
import { connectionOf } from './hosts.ts'
import { migrateToLatest } from './migrate.ts'
import { createReplicas } from './replicas.ts'
import { replicatedClusters } from './testing/replicated-clusters.ts'

// The tests run in this order: the last one ends the replication.
const clusters = await replicatedClusters({ isSynchronous: false, onEnd: afterAll })
const { primaryUrl, standbyUrl } = clusters
/** Waits longer than the product, so that a busy machine changes no result. */
const patient = { patience: 10_000, limits: {} }

interface Position {
  lsn: number
  timeline: number
}

/** `adapt` changes the positions that the primary answers. */
function replicasOf(
  url: string,
  replicaUrl: string,
  waiting: object = patient,
  adapt: (position: Position) => Position = (position) => position,
) {
  const database = openDatabase({ connection: connectionOf(url), max: 2, limits: {}, onError: () => {} })
  const read: typeof database.read = async <Row extends object>(statement: Statement, values: unknown[]) => {
    const rows = await database.read<Row & Position>(statement, values)
    return rows.map((row) => ({ ...row, ...adapt(row) }))
  }
  const primary = { db: database.db, read }
  const replicas = createReplicas({
    url: replicaUrl,
    database: primary,
    log: createLog('silent'),
    ...waiting,
  })
  onTestFinished(async () => {
    await replicas.stop()
    await database.close()
  })
  async function trouble() {
    await replicas.check()
    return replicas.states()[0]?.trouble
  }
  return { replicas, trouble, db: database.db }
}

async function isReplica(db: Db): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`select pg_is_in_recovery() as is`.execute(db)
  return rows[0]?.is === true
}

const highest = async (db: Db) =>
  (await sql<{ n: number }>`select max(n) as n from mark`.execute(db)).rows[0]?.n

test('a heavy read on a replica sees every commit before it', async () => {
  const { replicas, trouble, db } = replicasOf(primaryUrl, standbyUrl)
  expect(await replicas.run(isReplica), 'before the first check').toBe(false)
  await expect.poll(trouble).toBe(null)
  expect(await replicas.run(isReplica)).toBe(true)
  await sql`create table mark (n int)`.execute(db)
  await clusters.askStandby(`select pg_wal_replay_pause()`)
  await sql`insert into mark values (1)`.execute(db)
  const reading = replicas.run(async (from) => ({ isReplica: await isReplica(from), n: await highest(from) }))
  await clusters.askStandby(`select pg_wal_replay_resume()`)
  expect(await reading).toEqual({ isReplica: true, n: 1 })
})

test('the primary serves a read of a replica that is too far behind', async () => {
  const { replicas, trouble, db } = replicasOf(primaryUrl, standbyUrl, { ...patient, patience: 100 })
  await expect.poll(trouble).toBe(null)
  await clusters.askStandby('select pg_wal_replay_pause()')
  await sql`insert into mark values (2)`.execute(db)
  expect(await replicas.run(highest)).toBe(2)
  expect(await trouble()).toBe('late')
  await clusters.askStandby('select pg_wal_replay_resume()')
  await expect.poll(trouble).toBe(null)
})

test('the primary repeats a read that the replica cancels, but not an invalid one', async () => {
  const { replicas, trouble } = replicasOf(primaryUrl, standbyUrl)
  await expect.poll(trouble).toBe(null)
  // The replica cancels at its time limit, or because the primary has removed the rows.
  for (const state of ['57014', '40001']) {
    const cancelled = async (db: Db) => {
      if (await isReplica(db)) await sql.raw(`do $$ begin raise sqlstate '${state}'; end $$`).execute(db)
      return isReplica(db)
    }
    expect(await replicas.run(cancelled)).toBe(false)
  }
  const { primary } = replicas.served()
  const wrong = replicas.run((db) => sql`select no_such_column`.execute(db))
  await expect(wrong).rejects.toThrow('no_such_column')
  const writing = replicas.run((db) => sql`insert into mark values (0)`.execute(db))
  await expect(writing).rejects.toThrow('tried to write')
  expect(replicas.served().primary).toBe(primary)
})

test('long reads on all connections of a replica do not make it appear unavailable', async () => {
  const { replicas, trouble } = replicasOf(primaryUrl, standbyUrl, { patience: 10_000 })
  await expect.poll(trouble).toBe(null)
  const release = Promise.withResolvers<void>()
  const held: Promise<boolean>[] = []
  for (let index = 0; index < 4; index += 1) {
    const holds = Promise.withResolvers<void>()
    const reading = replicas.run((db) =>
      db.transaction().execute(async (trx) => {
        const result = await isReplica(trx)
        holds.resolve()
        await release.promise
        return result
      }),
    )
    held.push(reading)
    await holds.promise
  }
  expect(await trouble()).toBe(null)
  expect(await replicas.run(isReplica)).toBe(false)
  release.resolve()
  expect(await Promise.all(held)).toEqual([true, true, true, true])
})

test('a database user without privileges can use a replica', async () => {
  await clusters.askPrimary('create role plain login')
  const asPlain = (url: string) => url.replace('pult@', 'plain@')
  const { replicas, trouble } = replicasOf(asPlain(primaryUrl), asPlain(standbyUrl))
  await expect.poll(trouble).toBe(null)
  expect(await replicas.run(isReplica)).toBe(true)
})

test('a promotion since the last check sends reads to the primary', async () => {
  let promotions = 0
  const { replicas, trouble } = replicasOf(primaryUrl, standbyUrl, patient, (position) => ({
    ...position,
    timeline: position.timeline + promotions,
  }))
  await expect.poll(trouble).toBe(null)
  expect(await replicas.run(isReplica)).toBe(true)
  promotions = 1
  expect(await replicas.run(isReplica)).toBe(false)
})

test('the audit log, exports and long charts are read from a replica, and health names a replica that does not follow', async () => {
  const { port } = new URL(primaryUrl)
  const connection = { host: '127.0.0.1', port: Number(port), user: 'pult', database: 'pult' }
  const own = openDatabase({ connection, max: 1, limits: {}, onError: () => {} })
  await migrateToLatest(own.db, migrations)
  await own.close()
  const dataFolder = await mkdtemp(join(tmpdir(), 'pult-replicas-'))
  const testDatabase = { connection, drop: async () => {} }
  const server = await testServer({
    besides: { testDatabase, secret: randomBytes(32).toString('base64'), dataFolder },
    config: { databaseReplicaUrl: standbyUrl },
  })
  onTestFinished(async () => {
    await server.stop()
    await rm(dataFolder, { recursive: true })
  })
  const read = async (path: string) => (await fetch(server.url + apiBase + path)).text()
  const served = async () =>
    Number(/pult_heavy_reads_total\{server="replica"\} (\d+)/.exec(await read('/metrics'))?.[1])
  /** A busy replica leaves a read to the primary. */
  async function expectReplica(work: () => Promise<unknown>): Promise<void> {
    const before = await served()
    const runAndCount = async () => {
      await work()
      return served()
    }
    await expect.poll(runAndCount).toBeGreaterThan(before)
  }
  await expect.poll(() => read('/health')).toContain('"replicas":"ok"')
  const ada = await server.given.person({ isRoot: true, otp: true })
  const { projectId } = await server.given.project(ada, { products: ['project', 'edges'] })
  const list = () => ada.call(auditEndpoints.ofProject, { params: { projectId } })
  let changes = 0
  await expectReplica(async () => {
    await ada.call(projectEndpoints.update, { params: { projectId }, body: { label: randomUUID() } })
    expect((await list()).body.items.filter(({ event }) => event === 'project.changed')).toHaveLength(
      (changes += 1),
    )
  })
  await expectReplica(() => ada.call(auditEndpoints.export, { query: { format: 'jsonl' } }))
  await expectReplica(async () => {
    const { body } = await ada.call(projectTaskEndpoints.export, { params: { projectId }, body: {} })
    expect((await taskEnd(ada, body)).isRejected).toBe(false)
  })

  const made = await ada.call(edgeEndpoints.enrol, { params: { projectId }, body: { label: 'Crane' } })
  server.watchSecret(made.body.code)
  const edgeId = made.body.edge._id
  const readChart = async (days: number) => {
    const from = new Date(Date.now() - days * 86_400_000).toISOString()
    expect(
      await ada.call(edgeValueEndpoints.read, { params: { projectId, edgeId }, query: { from } }),
    ).toSucceed()
  }
  for (const days of [7, 30]) await expectReplica(() => readChart(days))
  const query = { edges: edgeId }
  await expectReplica(() => ada.call(edgeValueEndpoints.courses, { params: { projectId }, query }))
  const heavy = async () => (await read('/metrics')).match(/^pult_heavy_reads_total.*$/gm)
  const before = await heavy()
  await readChart(1 / 24)
  expect(await heavy()).toEqual(before)

  // The former primary commits nothing after the promotion, so that its position does not make the replica look late.
  let last: Position | undefined
  let isStill = false
  const { replicas, trouble } = replicasOf(
    primaryUrl,
    standbyUrl,
    { ...patient, patience: 100 },
    (position) => {
      if (!isStill || last === undefined) last = position
      return last
    },
  )
  await expect.poll(trouble).toBe(null)
  isStill = true
  await clusters.promote()
  expect(await replicas.run(isReplica)).toBe(false)
  expect(replicas.served().replica).toBe(0)
  await expect.poll(() => read('/health')).toContain('"replicas":"warn"')
  const { body } = await ada.call(conditionEndpoints.read)
  expect(body.checks).toContainEqual(expect.objectContaining({ id: 'replica', level: 'warning' }))
  expect((await list()).body.items.length).toBeGreaterThan(0)
})

test('a promoted replica and a standby of the former primary serve no reads', async () => {
  const before = replicasOf(primaryUrl, standbyUrl)
  await expect.poll(before.trouble).toBe('foreign')
  expect(await before.replicas.run(isReplica)).toBe(false)

  // It is ahead of the new primary: its position alone would make it look current.
  await clusters.askPrimary('create table ahead as select generate_series(1, 10000)')
  await clusters.demotePrimary()
  const after = replicasOf(standbyUrl, primaryUrl)
  await expect.poll(after.trouble).toBe('foreign')
  expect(await after.replicas.run(isReplica)).toBe(false)

  await clusters.stopStandby()
  const late = replicasOf(primaryUrl, standbyUrl)
  expect(await late.trouble()).toBe('away')
})
