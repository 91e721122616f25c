import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { apiBase } from '@pult/contract'
import { freePort, openS3Server, testServer } from '@pult/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { createDiskFiles } from '#platform/files/disk-files.ts'
import { createS3Files } from '#platform/files/s3-files.ts'
import { createLog } from '#platform/log.ts'
import { createFileStoreWatch } from './file-store-watch.ts'

const store = await openS3Server()
const { settings } = store
const closed = `http://127.0.0.1:${await freePort()}`

const bucketWith = (wrong: { bucket?: string; endpoint?: string; secretKey?: string } = {}) =>
  createS3Files({ ...store.access, temporaryFolder: tmpdir(), ...wrong })

const messagesOf = (lines: readonly string[]) =>
  lines.map((line) => (JSON.parse(line) as { msg: string }).msg)

test('a store that fails and returns is logged once each, without a reader of the condition', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pult-watch-'))
  const works = createDiskFiles(join(folder, 'files'))
  // A file in the place of the folder.
  const fails = createDiskFiles(import.meta.filename)
  let driver = works
  let checks = 0
  const counted = { check: () => driver.check().finally(() => (checks += 1)) }
  const lines: string[] = []
  const log = createLog('info', { write: (line) => void lines.push(line) })
  const watch = createFileStoreWatch({ driver: counted, log, interval: 5 })
  watch.start()
  onTestFinished(async () => {
    await watch.stop()
    await rm(folder, { recursive: true })
  })
  const severalChecks = async () => {
    const before = checks
    await expect.poll(() => checks).toBeGreaterThan(before + 3)
  }
  await severalChecks()
  expect(lines).toEqual([])
  driver = fails
  await severalChecks()
  driver = works
  await severalChecks()
  expect(messagesOf(lines)).toEqual([
    expect.stringMatching(
      /^a part does not work: this server cannot use .*file-store-watch.*\. Give the user of the server/,
    ),
    'files can be read and written again',
  ])
})

test.each([
  ['key', { secretKey: 'wrong' }, /refuses the key \(SignatureDoesNotMatch\)/, /FILES_S3_SECRET_KEY/],
  ['name', { bucket: 'missing' }, /the bucket missing does not exist/, /correct FILES_S3_BUCKET/],
  ['endpoint', { endpoint: closed }, /cannot be reached \(connect ECONNREFUSED/, /Check FILES_S3_ENDPOINT/],
])(
  'the fault of a bucket with a wrong %s names the cause and the setting',
  async (_part, wrong, what, fix) => {
    const driver = bucketWith(wrong)
    const watch = createFileStoreWatch({ driver, log: createLog('silent') })
    const failure = await watch.read()
    expect(failure).toEqual({
      what: { de: expect.stringMatching(what), 'de-DE': expect.stringContaining('er ') },
      fix: { de: expect.stringMatching(fix), 'de-DE': expect.stringContaining('FILES_S3_') },
    })
  },
)

test.each([
  ['ListBucket', 's3:ListBucket', 'arn:aws:s3:::pult for'],
  ['PutObject kept/', 's3:PutObject', 'arn:aws:s3:::pult/kept/* for'],
  ['PutObject uploads/', 's3:PutObject', 'arn:aws:s3:::pult/uploads/* for'],
  ['GetObject kept/', 's3:GetObject', 'arn:aws:s3:::pult/kept/* for'],
  ['DeleteObject uploads/', 's3:DeleteObject', 'arn:aws:s3:::pult/uploads/* for'],
  ['ListMultipartUploadParts', 's3:ListMultipartUploadParts', 'arn:aws:s3:::pult/uploads/* for'],
  ['AbortMultipartUpload', 's3:AbortMultipartUpload', 'arn:aws:s3:::pult/uploads/* for'],
  ['ListBucketMultipartUploads', 's3:ListBucketMultipartUploads', 'arn:aws:s3:::pult for'],
])(
  'the fault of a bucket whose key may not %s names the permission until it is granted',
  async (forbidden, permission, resource) => {
    const driver = bucketWith()
    const watch = createFileStoreWatch({ driver, log: createLog('silent') })
    store.forbid(forbidden)
    onTestFinished(() => store.forbid())
    const fault = {
      what: { de: expect.stringContaining(`lacks the permission ${permission} (AccessDenied)`) },
      fix: {
        de: expect.stringContaining(`Permit ${permission} on ${resource}`),
        'de-DE': expect.stringContaining(permission),
      },
    }
    expect(await watch.read()).toMatchObject(fault)
    expect(watch.latest()).toMatchObject(fault)
    store.forbid()
    // An object that could not be deleted is no file.
    for await (const names of driver.olderThan(-1)) expect(names).toEqual([])
    expect([await watch.read(), watch.latest()]).toEqual([null, null])
    expect([...store.objects.keys()].filter((key) => key.endsWith('/write-test'))).toEqual([])
  },
)

test('a bucket without space is reported, and a proof holds for later checks', async () => {
  store.limitSpace(0)
  const driver = bucketWith()
  const watch = createFileStoreWatch({ driver, log: createLog('silent') })
  expect(await watch.read()).toMatchObject({
    what: { de: 'the file store is full (StorageFull)', 'de-DE': 'der Dateispeicher ist voll (StorageFull)' },
  })
  store.limitSpace(Number.POSITIVE_INFINITY)
  expect(await watch.read()).toBeNull()
  // A bucket with versioning would keep each written object.
  store.forbid('PutObject')
  onTestFinished(() => store.forbid())
  expect(await watch.read()).toBeNull()
})

test('a store without multipart uploads is reported', async () => {
  store.lackParts(true)
  onTestFinished(() => store.lackParts(false))
  const watch = createFileStoreWatch({ driver: bucketWith(), log: createLog('silent') })
  expect(await watch.read()).toMatchObject({
    what: {
      de: 'the file store does not know a request of the kind s3:PutObject (NotImplemented)',
      'de-DE': 'der Dateispeicher kennt Anfragen der Art s3:PutObject nicht (NotImplemented)',
    },
    fix: { de: expect.stringContaining('multipart uploads') },
  })
})

test('a check that only reads creates no folder and writes nothing to a bucket', async () => {
  const data = await mkdtemp(join(tmpdir(), 'pult-reading-'))
  onTestFinished(() => rm(data, { recursive: true }))
  const folder = createDiskFiles(join(data, 'files'))
  await folder.check({ isReading: true })
  expect(await folder.space({ isReading: true })).toMatchObject({ free: expect.any(Number) })
  expect(await readdir(data)).toEqual([])
  store.forbid('PutObject')
  onTestFinished(() => store.forbid())
  await expect(bucketWith().check({ isReading: true })).resolves.toBeUndefined()
})

test('the latest result is known while a check waits for the store', async () => {
  const silent = Promise.withResolvers<void>()
  let answer = Promise.reject<void>(new Error('first'))
  const watch = createFileStoreWatch({ driver: { check: () => answer }, log: createLog('silent') })
  await watch.read()
  answer = silent.promise
  const checking = watch.read()
  expect(watch.latest()).toMatchObject({ what: { de: 'first' } })
  silent.resolve()
  await checking
  expect(watch.latest()).toBeNull()
})

test('a server with a wrong key of its bucket starts, is ready, and logs the cause with its remedy', async () => {
  const server = await testServer({ settings: { ...settings, FILES_S3_SECRET_KEY: 'wrong' } })
  const causes = () =>
    messagesOf(server.logLines).filter((line) => line.includes('the file store refuses the key'))
  await expect
    .poll(causes)
    .toEqual([expect.stringContaining('Check FILES_S3_ACCESS_KEY and FILES_S3_SECRET_KEY')])
  const ready = async () => (await fetch(`${server.url}${apiBase}/health/ready`)).status
  await expect.poll(ready).toBe(200)
})
