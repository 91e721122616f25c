import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { testServer } from '@pult/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { openBackups } from './open-backup-store.ts'
import { createSigner } from './signer.ts'
import { openSpool } from './spool.ts'
import { takeBackup } from './take-backup.ts'

test('duplicati#4496 a backup fails while the folder of files is not mounted, instead of missing the files', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pult-take-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const [files, backups] = [join(folder, 'files'), join(folder, 'backups')]
  const secret = 'a secret of thirty-two characters'
  const { app, config, dataFolder, given, testDatabase } = await testServer({
    secret,
    settings: { FILES_FOLDER: files, PULT_SECRET: secret, BACKUP_FOLDER: backups, BACKUP_SCHEDULE: 'off' },
  })
  const { projectId } = await given.project(await given.person())
  await app.files.keep(
    {
      projectId,
      personId: null,
      readers: 'project',
      name: 'a.txt',
      contentType: 'text/plain',
      lifetime: 3_600_000,
    },
    Readable.from([Buffer.from('content')]),
  )
  const take = async () =>
    takeBackup({
      config,
      dataFolder,
      connection: testDatabase.connection,
      target: await openBackups(config),
      isUnencrypted: true,
    })
  await rename(files, `${files}-share`)
  await mkdir(files)
  await expect(take()).rejects.toMatchObject({
    code: 'BUSY',
    cause: { what: { de: expect.stringContaining('not mounted') } },
  })
  expect(await readdir(files)).toEqual([])
  await rm(files, { recursive: true })
  await rename(`${files}-share`, files)
  expect(await take()).toMatchObject({ files: 1, added: 1, missing: 0 })
})

test.each([
  ['hourly', 4],
  // Those of the last three hours have one day, or two.
  ['daily', 2],
] as const)('with the schedule %s, of backups of the last hours at most %i stay', async (schedule, most) => {
  const folder = await mkdtemp(join(tmpdir(), 'pult-take-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const secret = 'a secret of thirty-two characters'
  const { config, dataFolder, testDatabase } = await testServer({
    secret,
    settings: { PULT_SECRET: secret, BACKUP_FOLDER: folder, BACKUP_SCHEDULE: 'off' },
  })
  const target = await openBackups(config)
  const take = () =>
    takeBackup({
      config: { ...config, backup: { ...config.backup, schedule } },
      dataFolder,
      connection: testDatabase.connection,
      target,
      isUnencrypted: true,
    })
  const { createdAt } = await take()
  const needed = await openSpool(folder)
  for (const hours of [1, 2, 3]) {
    const at = new Date(createdAt.getTime() - hours * 3_600_000)
    await target.addArchive(Readable.from(['x']), at, { needed, signer: createSigner(secret) })
  }
  await needed.close()
  await take()
  const archives = await target.list()
  expect(archives.length).toBeLessThanOrEqual(most)
  expect(archives.length).toBeGreaterThanOrEqual(schedule === 'hourly' ? 4 : 1)
})
