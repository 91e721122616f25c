import { Readable } from 'node:stream'
import { lineTo, openS3Server } from '@pult/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { createS3Store } from './s3-store.ts'

const bucket = await openS3Server()

test('RULE-80 a backup is stored in a bucket even if sending it takes longer than the response timeout of the store', async () => {
  const { settings } = bucket
  // At most 2 MiB per second.
  const line = await lineTo({ port: Number(new URL(bucket.url).port) }, { pause: 30 })
  const store = createS3Store({
    endpoint: `http://127.0.0.1:${line.port}`,
    region: settings.FILES_S3_REGION,
    bucket: settings.FILES_S3_BUCKET,
    prefix: '',
    pathStyle: true,
    accessKey: settings.FILES_S3_ACCESS_KEY,
    secretKey: settings.FILES_S3_SECRET_KEY,
    requestTimeout: 1000,
  })
  const content = Readable.from(Array.from({ length: 7 }, () => Buffer.alloc(1024 * 1024)))
  expect(await store.write('archives', '1.pult', content)).toMatchObject({ size: 7 * 1024 * 1024 })
})

test('a bucket that locks its objects accepts backups of one part and of several', async () => {
  bucket.lockObjects(true)
  onTestFinished(() => bucket.lockObjects(false))
  const store = createS3Store({ ...bucket.access, prefix: '' })
  const mib = Buffer.alloc(1024 * 1024, 'x')
  for (const [name, size] of [
    ['2.pult', 3],
    ['3.pult', 33],
  ] as const) {
    const content = Readable.from(Array.from({ length: size }, () => mib))
    expect(await store.write('archives', name, content)).toMatchObject({ size: size * mib.length })
  }
})
