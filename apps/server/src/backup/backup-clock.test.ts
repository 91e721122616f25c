import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { backupEndpoints } from '@pult/contract'
import { testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { createBackupRunRepository, sweepBackupRuns } from './backup-run.repository.ts'
import { makeKey } from './encryption.ts'
import { createSigner } from './signer.ts'

/*
 * The clock was 30 days ahead and was corrected: times of the runs that it wrote lie in the future.
 */

const folder = await mkdtemp(join(tmpdir(), 'pult-clock-'))
afterAll(() => rm(folder, { recursive: true, force: true }))
const secret = 'a secret of thirty-two characters'
const server = await testServer({
  secret,
  settings: {
    BACKUP_FOLDER: folder,
    BACKUP_RECIPIENT: `${(await makeKey()).recipient}.${createSigner(secret).fingerprint}`,
    BACKUP_DRILL: 'off',
  },
})
await writeFile(join(server.dataFolder, 'secret'), secret)
const { db } = server
const { backups } = server.app
const runs = createBackupRunRepository(db)
const week = 7 * 86_400_000

// The first scheduled backup begins with the server.
await vi.waitUntil(
  async () => (await db.selectFrom('backup_run').select('id').execute()).length === 1,
  30_000,
)
await backups.finished()
beforeEach(async () => {
  await db.deleteFrom('backup_run').execute()
})

const future = sql<Date>`now() + interval '30 days'`
const past = sql<Date>`now() - interval '1 hour'`
const addRun = (values: { archive?: string; error?: string; isOpen?: boolean; at?: typeof future }) =>
  db
    .insertInto('backup_run')
    .values({
      id: crypto.randomUUID(),
      cause: 'schedule',
      started_at: values.at ?? future,
      seen_at: values.at ?? future,
      ended_at: values.isOpen === true ? null : (values.at ?? future),
      archive: values.archive ?? null,
      error: values.error ?? null,
      proven_at: values.archive === undefined ? null : (values.at ?? future),
    })
    .execute()

test('olahallengren/sql-server-maintenance-solution#92 after a backup of the future, the due one is made', async () => {
  await addRun({ archive: 'future.pult' })
  await backups.runSchedule()
  await backups.finished()
  const rows = await db.selectFrom('backup_run').select(['archive', 'error']).orderBy('started_at').execute()
  expect(rows).toEqual([
    { archive: expect.stringMatching(/\.pult$/), error: null },
    { archive: 'future.pult', error: null },
  ])
})

test('a run of the future is neither the newest, nor proven, nor a reason to wait', async () => {
  await addRun({ archive: 'future.pult' })
  expect(await runs.last()).toMatchObject({ madeAt: null, provenAt: null, failure: null })
  expect(await runs.isProvenWithin(week)).toBe(false)
  await addRun({ error: 'the disk is full', at: past })
  expect(await runs.last()).toMatchObject({ failure: { reason: 'the disk is full' } })
  await addRun({ archive: 'right.pult', at: past })
  const { madeAt, provenAt } = await runs.last()
  for (const time of [madeAt, provenAt]) expect(time?.getTime()).toBeLessThan(Date.now())
  expect(await runs.isProvenWithin(week)).toBe(true)
  const since = new Date(Date.now() - 2 * 3_600_000)
  expect(await runs.scheduledSince(since, 30 * 60_000)).toEqual({
    attempts: 2,
    isMade: true,
    isRecent: false,
  })
  expect(await runs.scheduledSince(since, 90 * 60_000)).toMatchObject({ isRecent: true })
})

test('a node whose clock is a day ahead of the database makes no backup that the database has as made', async () => {
  await addRun({ archive: 'right.pult', at: sql<Date>`now()` })
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 86_400_000 })
  onTestFinished(() => void vi.useRealTimers())
  await backups.runSchedule()
  await backups.finished()
  expect(await db.selectFrom('backup_run').select('archive').execute()).toEqual([{ archive: 'right.pult' }])
})

test('a backup that was running when the clock was corrected blocks no other', async () => {
  await addRun({ isOpen: true })
  const root = await server.given.person({ isRoot: true })
  expect((await root.call(backupEndpoints.read)).body.running).toBeNull()
  expect(await root.call(backupEndpoints.start)).toSucceed()
  await backups.finished()
})

test('a backup that begins while the clock is years ahead deletes no run', async () => {
  await addRun({ archive: 'old.pult', at: sql<Date>`now() - interval '401 days'` })
  const count = async () => (await db.selectFrom('backup_run').select('id').execute()).length
  const id = await runs.add('root', null)
  expect(await count()).toBe(2)
  await db
    .deleteFrom('backup_run')
    .where('id', '=', id ?? '')
    .execute()
  await sweepBackupRuns(db)
  expect(await count()).toBe(0)
})
