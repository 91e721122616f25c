import { statfs } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { conditionEndpoints, fileEndpoints } from '@pult/contract'
import { testServer } from '@pult/testkit'
import { uuidv7 } from 'uuidv7'
import { expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { totalOf } from './space.ts'

const settings = { FILE_TOTAL: '2000000' }
const server = await testServer({ settings })
const second = await testServer({ besides: server, settings })
const { given } = server

const contentType = 'application/octet-stream'

test('RULE-71 uploads and generated files beyond the storage of the installation are rejected with 507', async () => {
  const people = await Promise.all(Array.from({ length: 8 }, () => given.person()))
  const body = { filename: 'a.bin', contentType, size: 600_000 }
  const answers = await Promise.all(
    people.map(({ token }, place) =>
      (place % 2 === 0 ? server : second).call(fileEndpoints.create, { body }, token),
    ),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
  const refused = answers.filter(({ status }) => status !== 200).map(({ status, code }) => [status, code])
  expect(refused).toEqual(Array.from({ length: 5 }, () => [507, 'DISK_FULL']))

  const [ada] = people
  const headers = { 'accept-language': 'de' }
  expect((await ada?.call(fileEndpoints.create, { body, headers }))?.body).toMatchObject({
    message:
      'Der Dateispeicher dieser Installation ist voll. Löschen Sie Dateien, oder bitten Sie Root um mehr Speicherplatz',
  })

  const keep = async (bytes: number) => {
    const { projectId } = await given.project(await given.person())
    return server.app.files.keep(
      { projectId, personId: null, readers: 'project', name: 'a', contentType, lifetime: 3_600_000 },
      Readable.from([Buffer.alloc(bytes)]),
    )
  }
  await expect(keep(300_000)).rejects.toMatchObject({ code: 'DISK_FULL' })
  expect((await keep(200_000)).size).toBe(200_000)
  await expect(keep(1)).rejects.toMatchObject({ code: 'DISK_FULL' })
})

test('RULE-71 without a setting, all files may use 80 % of the disk, and existing files above that stay', async () => {
  const usual = await testServer()
  const root = await usual.given.person({ isRoot: true })
  const { blocks, bsize } = await statfs(usual.dataFolder)
  const limit = Math.floor(blocks * bsize * 0.8)
  expect((await root.call(conditionEndpoints.read)).body.files?.limit).toBe(limit)

  const ada = await usual.given.person()
  const body = { filename: 'a.bin', contentType, size: 1000 }
  expect(await ada.call(fileEndpoints.create, { body })).toSucceed()
  // Files of another project that use the whole limit.
  const { projectId } = await usual.given.project(root)
  const id = uuidv7()
  await usual.db
    .insertInto('file')
    .values({
      id,
      filename: id.replaceAll('-', ''),
      project_id: projectId,
      readers: 'project',
      name: 'all.bin',
      content_type: contentType,
      size: limit,
      stored_at: new Date(),
    })
    .execute()
  const refused = await ada.call(fileEndpoints.create, { body })
  expect(refused).toFailWith('DISK_FULL')
  expect(refused.body).toMatchObject({
    message: 'The file storage of this installation is full. Delete files, or ask root for more storage',
  })
  expect(await root.call(fileEndpoints.read, { params: { fileId: id } })).toSucceed()
})

test('the limit of all files is 1 TiB in S3; FILE_TOTAL=off and an unreadable disk lift it', async () => {
  const disk = { space: async () => ({ free: 10, size: 1000 }) }
  const s3 = { FILES_S3_BUCKET: 'pult', FILES_S3_ACCESS_KEY: 'key', FILES_S3_SECRET_KEY: 'secret' }
  expect(await totalOf(readConfig({}), disk)).toBe(800)
  expect(await totalOf(readConfig({ FILE_TOTAL: '900' }), disk)).toBe(900)
  expect(await totalOf(readConfig(s3), { space: async () => undefined })).toBe(1024 ** 4)
  expect(await totalOf(readConfig({ ...s3, FILE_TOTAL: 'off' }), disk)).toBeUndefined()
  expect(await totalOf(readConfig({ FILE_TOTAL: 'off' }), disk)).toBeUndefined()
  const unreadable = { space: () => Promise.reject(new Error('not there')) }
  expect(await totalOf(readConfig({}), unreadable)).toBeUndefined()
})
