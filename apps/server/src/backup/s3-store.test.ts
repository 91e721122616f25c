import { Readable } from 'node:stream'
import { openS3Server } from '@pult/testkit'
import { expect, test } from 'vitest'
import { slowLine } from '#platform/files/testing/slow-line.ts'
import { createS3Store } from './s3-store.ts'

const bucket = await openS3Server()

test('RULE-80 a backup arrives in a bucket although sending it takes longer than the store may take to answer', async () => {
  const { settings } = bucket
  const store = createS3Store({
    endpoint: await slowLine(bucket.url),
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
