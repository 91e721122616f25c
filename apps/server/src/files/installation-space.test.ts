import { statfs } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { conditionEndpoints, fileEndpoints } from '@pult/contract'
import { testServer } from '@pult/testkit'
import { uuidv7 } from 'uuidv7'
import { expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { openSpaceLimits, totalOf } from './space.ts'

const settings = { FILE_TOTAL: '2000000' }
const server = await testServer({ settings })
const second = await testServer({ besides: server, settings })
const { given } = server

const contentType = 'application/octet-stream'

test('RULE-71 uploads and generated files beyond the storage of the installation are rejected with 507', async () => {
  const people = await Promise.all(Array.from({ length: 8 }, () => given.person()))
  const body = { filename: 'a.bin', contentType, size: 600_000 }
  const nodeOf = (place: number) => (place % 2 === 0 ? server : second)
  const urls = await Promise.all(
    people.map(async ({ token }, place) => {
      const answer = await nodeOf(place).call(fileEndpoints.create, { body }, token)
      expect(answer).toSucceed()
      server.watchSecret(answer.body.url.slice(answer.body.url.lastIndexOf('/') + 1))
      return nodeOf(place + 1).url + answer.body.url
    }),
  )
  const answers = await Promise.all(
    urls.map(async (url) => {
      const whole = { method: 'PUT', headers: { 'content-type': contentType }, body: new Uint8Array(600_000) }
      const answer = await fetch(url, whole)
      return [answer.status, ((await answer.json()) as { code?: string }).code]
    }),
  )
  expect(answers.filter(([status]) => status === 200)).toHaveLength(3)
  const refused = answers.filter(([status]) => status !== 200)
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

test('RULE-71 several unfinished uploads of one user in all projects use at most a tenth of the installation', async () => {
  const own = await testServer({ settings })
  const [ada, bob] = [await own.given.person(), await own.given.person()]
  /** Sends 150,000 bytes of a file. */
  const begin = async (by: typeof ada) => {
    const { projectId: project } = await own.given.project(by)
    const body = { filename: 'a.bin', contentType, size: 160_000, project }
    const { body: ticket } = await by.call(fileEndpoints.create, { body })
    own.watchSecret(ticket.url.slice(ticket.url.lastIndexOf('/') + 1))
    const answer = await fetch(own.url + ticket.url, {
      method: 'PUT',
      headers: { 'content-type': contentType, 'content-range': 'bytes 0-149999/160000' },
      body: new Uint8Array(150_000),
    })
    return ((await answer.json()) as { code?: string }).code
  }
  expect(await begin(ada)).toBe('UPLOAD_INCOMPLETE')
  expect(await begin(ada)).toBe('TOO_MANY_REQUESTS')
  expect(await begin(bob)).toBe('UPLOAD_INCOMPLETE')
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

test('a disk that does not answer at the start is measured again at the next use of the limit', async () => {
  let isThere = false
  const driver = {
    space: async () => (isThere ? { free: 10, size: 1000 } : Promise.reject(new Error('not there'))),
  }
  const space = await openSpaceLimits(readConfig({}), driver)
  expect([space.fileMax, space.total]).toEqual([readConfig({}).fileMaxSize, undefined])
  isThere = true
  await expect.poll(() => space.total).toBe(800)
  isThere = false
  expect(space.total).toBe(800)
})
