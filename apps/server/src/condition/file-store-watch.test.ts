import { mkdtemp, rm } from 'node:fs/promises'
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
    const driver = createS3Files({
      endpoint: settings.FILES_S3_ENDPOINT,
      region: settings.FILES_S3_REGION,
      bucket: settings.FILES_S3_BUCKET,
      pathStyle: true,
      accessKey: settings.FILES_S3_ACCESS_KEY,
      secretKey: settings.FILES_S3_SECRET_KEY,
      temporaryFolder: tmpdir(),
      ...wrong,
    })
    const watch = createFileStoreWatch({ driver, log: createLog('silent') })
    const failure = await watch.read()
    expect(failure).toEqual({
      what: { de: expect.stringMatching(what), 'de-DE': expect.stringContaining('er ') },
      fix: { de: expect.stringMatching(fix), 'de-DE': expect.stringContaining('FILES_S3_') },
    })
  },
)

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
