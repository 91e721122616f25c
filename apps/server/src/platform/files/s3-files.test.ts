import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { Readable } from 'node:stream'
import { lineTo, openS3Server } from '@pult/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { createS3Files } from './s3-files.ts'

const store = await openS3Server()
const filesAt = (endpoint: string, requestTimeout: number) =>
  createS3Files({ ...store.access, endpoint, temporaryFolder: tmpdir(), requestTimeout })

const name = '0'.repeat(32)
const content = () => Readable.from(Array.from({ length: 7 }, () => Buffer.alloc(1024 * 1024)))
const writing = {
  contentType: 'application/zip',
  most: Number.POSITIVE_INFINITY,
  tooLong: () => new Error('too long'),
}

test('RULE-80 a file is stored even if sending it takes longer than the response timeout of the store', async () => {
  // At most 2 MiB per second.
  const line = await lineTo({ port: Number(new URL(store.url).port) }, { pause: 30 })
  const files = filesAt(`http://127.0.0.1:${line.port}`, 1000)
  expect(await files.write(name, content(), writing)).toMatchObject({ size: 7 * 1024 * 1024 })
  expect(store.objects.get(`kept/${name}`)?.body).toHaveLength(7 * 1024 * 1024)
})

test('RULE-80 a store that receives a file and does not answer is reported as unavailable', async () => {
  const silent = createServer((request) => void request.resume()).listen(0, 'localhost')
  await once(silent, 'listening')
  onTestFinished(() => {
    silent.closeAllConnections()
    silent.close()
  })
  const files = filesAt(`http://localhost:${(silent.address() as AddressInfo).port}`, 50)
  await expect(files.write(name, content(), writing)).rejects.toMatchObject({ code: 'BUSY', status: 503 })
})
