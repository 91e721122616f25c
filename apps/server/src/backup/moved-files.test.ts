import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { createTestDatabase, openS3Server, testServer } from '@pult/testkit'
import { afterAll, expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { openFileStore } from '../files/open-store.ts'
import { copyInstallation } from './testing/copy-installation.ts'

const server = await testServer()
const bucket = await openS3Server()
const folder = await mkdtemp(join(tmpdir(), 'pult-moved-'))
const databases = [await createTestDatabase(), await createTestDatabase()] as const
afterAll(async () => {
  await Promise.all(databases.map(({ drop }) => drop()))
  await rm(folder, { recursive: true })
})

async function digestOf(content: Readable): Promise<string> {
  const digest = createHash('sha256')
  for await (const chunk of content) digest.update(chunk as Buffer)
  return digest.digest('hex')
}

test('a restore moves files from the disk into a bucket and back, with all their bytes', async () => {
  const ada = await server.given.person()
  const { projectId } = await server.given.project(ada)
  const keep = (content: Buffer) =>
    server.app.files.keep(
      {
        projectId,
        personId: null,
        readers: 'project',
        name: 'plan.bin',
        contentType: 'application/octet-stream',
        lifetime: 3_600_000,
      },
      Readable.from([content]),
    )
  // The last one needs more than one part of an upload.
  const contents = [Buffer.alloc(0), Buffer.from('a plan'), randomBytes(6 * 1024 * 1024)]
  const names: string[] = []
  for (const content of contents) names.push((await keep(content)).filename)
  const digests = await Promise.all(contents.map((content) => digestOf(Readable.from([content]))))

  async function open(connection: typeof server.testDatabase.connection, dataFolder: string, settings = {}) {
    const driver = await openFileStore(readConfig(settings), dataFolder)
    const digestsIn = () => Promise.all(names.map(async (name) => digestOf(await driver.read(name))))
    return { connection, dataFolder, driver, digestsIn, secret: server.secret }
  }
  const original = await open(server.testDatabase.connection, server.dataFolder)
  const inBucket = await open(databases[0].connection, join(folder, 'bucket'), bucket.settings)
  const onDisk = await open(databases[1].connection, join(folder, 'disk'))
  expect(inBucket.driver.uploads.kind).toBe('direct')

  await copyInstallation(original, inBucket, join(folder, 'first'))
  expect(await inBucket.digestsIn()).toEqual(digests)
  await copyInstallation(inBucket, onDisk, join(folder, 'second'))
  expect(await onDisk.digestsIn()).toEqual(digests)
})
