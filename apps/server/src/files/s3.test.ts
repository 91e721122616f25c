import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { crc32 } from 'node:zlib'
import { fileEndpoints, type UploadTicket } from '@pult/contract'
import { openS3Server, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { createS3Files } from '#platform/files/s3-files.ts'

const store = await openS3Server()
const server = await testServer({ settings: store.settings, hasCallLimits: true })
const { given, db } = server
const { files } = server.app
server.watchSecret(store.settings.FILES_S3_SECRET_KEY)

const ada = await given.person()
const { projectId } = await given.project(ada)
const png = await sharp({ create: { width: 30, height: 20, channels: 3, background: 'teal' } })
  .png()
  .toBuffer()

async function ticketFor(size = png.length, contentType = 'image/png'): Promise<UploadTicket> {
  const body = { filename: 'stand "A" – süd.png', contentType, size, project: projectId }
  const answer = await ada.call(fileEndpoints.create, { body })
  expect(answer).toSucceed()
  return answer.body
}

async function put(url: string, body: Buffer, type = 'image/png'): Promise<number> {
  const headers = { 'content-type': type }
  return (await fetch(url, { method: 'PUT', body: new Uint8Array(body), headers })).status
}

const complete = ({ filename }: UploadTicket) => ada.call(fileEndpoints.complete, { params: { filename } })

test('RULE-72 API-22 an upload address of the store is valid for one type and one length only', async () => {
  const ticket = await ticketFor()
  expect(ticket).toMatchObject({
    url: expect.stringContaining(`${store.url}/pult/uploads/${ticket.filename}?`),
    headers: { 'content-type': 'image/png' },
    isResumable: false,
  })
  const signed = new URL(ticket.url).searchParams
  expect(signed.get('X-Amz-SignedHeaders')).toBe('content-length;content-type;host')
  expect(signed.get('X-Amz-Expires')).toBe('900')

  expect((await complete(ticket)).code).toBe('UPLOAD_INCOMPLETE')
  expect(await put(ticket.url, png, 'text/html')).toBe(403)
  expect(await put(ticket.url, png.subarray(1))).toBe(403)
  expect(await put(ticket.url, Buffer.concat([png, png]))).toBe(403)
  expect(await put(ticket.url.replace(ticket.filename, 'a'.repeat(32)), png)).toBe(403)
  expect(await put(ticket.url.replace('X-Amz-Expires=900', 'X-Amz-Expires=9000'), png)).toBe(403)
  expect(new Set(store.refusals)).toEqual(new Set(['SignatureDoesNotMatch']))
  expect(store.objects.size).toBe(0)

  expect(await put(ticket.url, png)).toBe(200)
  const answer = await complete(ticket)
  expect(answer).toSucceed()
  expect(answer.body).toMatchObject({
    filename: ticket.filename,
    size: png.length,
    name: 'stand _A_ – süd.png',
  })
  expect([...store.objects.keys()]).toEqual([`kept/${ticket.filename}`])
  expect(await files.find(answer.body._id)).toMatchObject({ width: 30, height: 20 })

  // The address is still valid, but no longer writes to the file.
  expect(await put(ticket.url, Buffer.alloc(png.length, 1))).toBe(200)
  expect((await complete(ticket)).body).toEqual(answer.body)
  expect(await buffer(await files.open(answer.body._id))).toEqual(png)
  expect(await buffer(await files.open(answer.body._id, { start: 1, end: 3 }))).toEqual(Buffer.from('PNG'))
})

test('RULE-72 RULE-80 the copy in the store holds no transaction open, and a failed completion can be repeated', async () => {
  const ticket = await ticketFor()
  expect(await put(ticket.url, png)).toBe(200)
  const { promise: isCopying, resolve: copying } = Promise.withResolvers<void>()
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
  store.delayCopies(() => {
    copying()
    return isReleased
  })
  const completing = complete(ticket)
  await isCopying
  // A job of the server may hold a short transaction.
  const held = async () => {
    const { rows } = await sql`
      select query from pg_stat_activity
      where datname = current_database() and state = 'idle in transaction'`.execute(db)
    return rows
  }
  await expect.poll(held).toEqual([])
  const failed = await db.transaction().execute(async (trx) => {
    await sql`lock table file in access exclusive mode`.execute(trx)
    release()
    return completing
  })
  expect(failed.status).toBe(503)
  store.delayCopies(async () => {})
  expect(await complete(ticket)).toSucceed()
  expect([...store.objects.keys()].filter((key) => key.endsWith(ticket.filename))).toEqual([
    `kept/${ticket.filename}`,
  ])
})

test('RULE-80 a store that does not answer is reported as unavailable', async () => {
  const silent = createServer(() => {}).listen(0, 'localhost')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const silentFiles = createS3Files({
    endpoint: `http://localhost:${port}`,
    region: 'eu-test-1',
    bucket: 'pult',
    pathStyle: true,
    accessKey: 'a',
    secretKey: 'b',
    temporaryFolder: server.dataFolder,
    requestTimeout: 50,
  })
  await expect(silentFiles.read('0'.repeat(32))).rejects.toMatchObject({ code: 'BUSY', status: 503 })
  silent.closeAllConnections()
  silent.close()
  await once(silent, 'close')
  await expect(silentFiles.read('0'.repeat(32))).rejects.toMatchObject({ code: 'BUSY', status: 503 })
})

test('RULE-68 the server checks the content of an upload in the store before it copies it', async () => {
  const page = Buffer.from('<!doctype html><script>alert(1)</script>')
  const lie = await ticketFor(page.length)
  expect(await put(lie.url, page)).toBe(200)
  expect((await complete(lie)).code).toBe('CONTENT_MISMATCH')
  expect(store.objects.has(`uploads/${lie.filename}`)).toBe(false)
  expect((await complete(lie)).code).toBe('NOT_FOUND')

  const huge = Buffer.from(png)
  huge.writeUInt32BE(60_000, 16)
  huge.writeUInt32BE(60_000, 20)
  huge.writeUInt32BE(crc32(huge.subarray(12, 29)), 29)
  const bomb = await ticketFor(huge.length)
  expect(await put(bomb.url, huge)).toBe(200)
  expect((await complete(bomb)).code).toBe('IMAGE_TOO_LARGE')
})

test('RULE-70 a link redirects readers to the store, with a fixed type and file name', async () => {
  const ticket = await ticketFor()
  await put(ticket.url, png)
  const { body: file } = await complete(ticket)
  const follow = async (url: string) => fetch(server.url + url, { redirect: 'manual' })
  const { body: link } = await ada.call(fileEndpoints.link, { params: { fileId: file._id } })
  const sent = await follow(link.url)
  expect([sent.status, sent.headers.get('cache-control')]).toEqual([307, 'private, max-age=150'])
  const read = await fetch(sent.headers.get('location') ?? '')
  // The store knows no rights, so that its address must end soon after their check.
  expect(new URL(read.url).searchParams.get('X-Amz-Expires')).toBe('300')
  expect([read.status, read.headers.get('content-type'), read.headers.get('content-disposition')]).toEqual([
    200,
    'image/png',
    `attachment; filename="stand _A_ _ s_d.png"; filename*=UTF-8''stand%20_A_%20%E2%80%93%20s%C3%BCd.png`,
  ])
  expect(Buffer.from(await read.arrayBuffer())).toEqual(png)
  const changed = (sent.headers.get('location') ?? '').replace('attachment', 'inline')
  expect((await fetch(changed)).status).toBe(403)
})

test('RULE-71 a file that the server makes is uploaded in parts, completely or not at all', async () => {
  const keep = (chunks: number, signal?: AbortSignal) =>
    files.keep(
      {
        projectId,
        personId: null,
        readers: 'project',
        name: 'a.zip',
        contentType: 'application/zip',
        lifetime: 3_600_000,
      },
      Readable.from(Array.from({ length: chunks }, (_, index) => Buffer.alloc(1024 * 1024, index))),
      signal,
    )
  const made = await keep(20)
  expect(made.size).toBe(20 * 1024 * 1024)
  const content = await buffer(
    await files.open(made.id, { start: 9 * 1024 * 1024 - 1, end: 9 * 1024 * 1024 }),
  )
  expect([...content]).toEqual([8, 9])

  const before = [...store.objects.keys()]
  store.limitSpace(12 * 1024 * 1024)
  await expect(keep(20)).rejects.toMatchObject({ code: 'DISK_FULL' })
  store.limitSpace(Number.POSITIVE_INFINITY)
  await expect(keep(20, AbortSignal.abort(new Error('given up')))).rejects.toThrow()
  expect([[...store.objects.keys()], store.unfinished.size]).toEqual([before, 0])
})

test('RULE-71 the clean-up job deletes unknown objects after a day, and released files immediately', async () => {
  const kept = await files.keep(
    {
      projectId,
      personId: null,
      readers: 'project',
      name: 'a',
      contentType: 'text/plain',
      lifetime: 3_600_000,
    },
    Readable.from([Buffer.from('a')]),
  )
  const { filename } = await db
    .selectFrom('file')
    .select('filename')
    .where('id', '=', kept.id)
    .executeTakeFirstOrThrow()
  const object = store.objects.get(`kept/${filename}`)
  if (object === undefined) throw new Error('the object does not exist')
  const long = { ...object, changedAt: new Date(Date.now() - 25 * 3_600_000) }
  store.objects.set(`kept/${filename}`, long)
  store.objects.set(`kept/${'0'.repeat(32)}`, long)
  store.objects.set(`uploads/${'1'.repeat(32)}`, long)
  store.objects.set(`kept/${'2'.repeat(32)}`, object)
  store.objects.set('kept/another program’s', long)
  await server.app.sweepFiles()
  const left = [...store.objects.keys()]
  expect(left).toContain(`kept/${filename}`)
  expect(left).toContain(`kept/${'2'.repeat(32)}`)
  expect(left).toContain('kept/another program’s')
  expect(left).not.toContain(`kept/${'0'.repeat(32)}`)
  expect(left).not.toContain(`uploads/${'1'.repeat(32)}`)

  await db.transaction().execute((trx) => files.release(trx, [kept.id]))
  await expect.poll(() => store.objects.has(`kept/${filename}`)).toBe(false)
})
