import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { testServer } from '@pult/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { openBackups } from './open-backup-store.ts'
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
