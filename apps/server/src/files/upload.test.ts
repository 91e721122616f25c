import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdir, rm, stat } from 'node:fs/promises'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer, json } from 'node:stream/consumers'
import { crc32, deflateSync } from 'node:zlib'
import {
  type ErrorCode,
  fileEndpoints,
  passwordEndpoints,
  type StoredFile,
  type UploadTicket,
} from '@pult/contract'
import { type GivenPerson, testServer, underLoad } from '@pult/testkit'
import { sql } from 'kysely'
import sharp from 'sharp'
import { beforeEach, expect, test } from 'vitest'
import { AppError } from '#platform/app-error.ts'
import { createDiskFiles } from '#platform/files/disk-files.ts'
import type { Part } from '#platform/files/file-driver.ts'
import { createUploadService } from './upload.service.ts'

const server = await testServer({ settings: { FILE_QUOTA: '2000000', FILE_MAX_SIZE: '1000000' } })
const second = await testServer({ besides: server })
const { given, db } = server

const png = await sharp({ create: { width: 30, height: 20, channels: 3, background: 'teal' } })
  .png()
  .toBuffer()
const text = Buffer.from('Größe;Anzahl\r\n12;3\r\n')

let ada: GivenPerson
let projectId: string
beforeEach(async () => {
  ada = await given.person()
  projectId = (await given.project(ada)).projectId
})

const announced = { filename: 'stand.png', contentType: 'image/png', size: png.length }

async function ticketFor(
  file: Partial<typeof announced> & { project?: string } = {},
  by = ada,
): Promise<UploadTicket> {
  const answer = await by.call(fileEndpoints.create, { body: { ...announced, ...file } })
  expect(answer).toSucceed()
  server.watchSecret(answer.body.url.slice(answer.body.url.lastIndexOf('/') + 1))
  return answer.body
}

interface PutAnswer {
  status: number
  body: StoredFile & { code?: ErrorCode }
}

async function put(
  { url }: Pick<UploadTicket, 'url'>,
  body: Buffer,
  headers: Record<string, string> = { 'content-type': 'image/png' },
  at = server.url,
): Promise<PutAnswer> {
  const response = await fetch(at + url, { method: 'PUT', body: new Uint8Array(body), headers })
  return { status: response.status, body: (await response.json()) as PutAnswer['body'] }
}

/** Sends the start of a body, and disconnects when the server has written it. */
async function breakOff(
  { url, filename }: UploadTicket,
  bytes: Buffer,
  headers: Record<string, string>,
): Promise<void> {
  const request = httpRequest(server.url + url, { method: 'PUT', headers })
  request.on('error', () => {})
  request.write(bytes)
  await expect.poll(() => partSize(filename)).toBe(bytes.length)
  request.destroy()
}

const partSize = (filename: string) =>
  stat(join(server.dataFolder, 'files/parts', filename)).then(
    ({ size }) => size,
    () => 0,
  )

/** Returns all files in the file folder. */
async function filesOnDisk(): Promise<string[]> {
  const entries = await readdir(join(server.dataFolder, 'files'), { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
}

const offsetOf = async ({ url }: UploadTicket, at = server.url) => {
  const response = await fetch(at + url, { method: 'HEAD' })
  return response.status === 200 ? Number(response.headers.get('upload-offset')) : response.status
}

test('API-22 FILE-01 RULE-67 a file is uploaded to the address of POST /files, and the server records its properties', async () => {
  const ticket = await ticketFor({ project: projectId })
  expect(ticket).toMatchObject({
    url: expect.stringMatching(/^\/api\/uploads\/[\w-]{43}$/),
    filename: expect.stringMatching(/^[0-9a-f]{32}$/),
    headers: { 'content-type': 'image/png' },
    isResumable: true,
  })
  const left = Date.parse(ticket.expiresAt) - Date.now()
  expect(left).toBeGreaterThan(14 * 60_000)
  expect(left).toBeLessThan(16 * 60_000)

  const { status, body } = await put(ticket, png)
  expect([status, body]).toEqual([
    200,
    {
      _id: expect.any(String),
      filename: ticket.filename,
      name: 'stand.png',
      contentType: 'image/png',
      size: png.length,
      createdAt: expect.any(String),
      expiresAt: null,
    },
  ])
  const { body: read } = await ada.call(fileEndpoints.read, { params: { fileId: body._id } })
  expect(read).toEqual(body)
  const completed = await ada.call(fileEndpoints.complete, { params: { filename: ticket.filename } })
  expect(completed.body).toEqual(body)
  const row = await db.selectFrom('file').selectAll().where('id', '=', body._id).executeTakeFirstOrThrow()
  expect(row).toMatchObject({ width: 30, height: 20, project_id: projectId })

  const stored = await server.app.files.open(body._id)
  expect(await buffer(stored)).toEqual(png)
})

test('RULE-67 an address is valid once, for its lifetime, and a session token is not accepted instead', async () => {
  const used = await ticketFor()
  expect((await put(used, png)).status).toBe(200)
  expect((await put(used, png)).body.code).toBe('TICKET_NOT_VALID')
  expect(await offsetOf(used)).toBe(410)

  const late = await ticketFor()
  await db.updateTable('upload_ticket').set({ expires_at: sql<Date>`now()` }).execute()
  expect((await put(late, png)).body.code).toBe('TICKET_NOT_VALID')

  const stored = await db.selectFrom('upload_ticket').select('token_hash').execute()
  const token = late.url.slice('/api/uploads/'.length)
  expect(stored.some(({ token_hash }) => token_hash.includes(Buffer.from(token)))).toBe(false)
  expect((await put({ url: `/api/uploads/${'a'.repeat(43)}` }, png)).body.code).toBe('TICKET_NOT_VALID')
  const anonymous = await server.call(fileEndpoints.create, { body: announced })
  expect(anonymous.code).toBe('UNAUTHENTICATED')
})

test('RULE-67 one of many concurrent uploads to one address on both nodes succeeds', async () => {
  const ticket = await ticketFor()
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      put(ticket, png, undefined, [server.url, second.url][index % 2]),
    ),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  const refused = answers.filter(({ status }) => status !== 200).map(({ body }) => body.code)
  expect(new Set([...refused, 'UPLOAD_RUNNING', 'TICKET_NOT_VALID'])).toEqual(
    new Set(['UPLOAD_RUNNING', 'TICKET_NOT_VALID']),
  )
})

test('RULE-32 an address expires with its session, and survives with the session that changed the password', async () => {
  const other = await ada.openSession()
  const { body: ofOther } = await server.call(fileEndpoints.create, { body: announced }, other)
  const own = await ticketFor()
  const bobs = await ticketFor({}, await given.person())
  const newPass = 'ein ganz anderes Kennwort 7'
  server.watchSecret(newPass)
  const changed = await ada.call(passwordEndpoints.change, {
    body: { oldPass: ada.password, newPass },
  })
  expect(changed).toSucceed()
  expect((await put(ofOther, png)).body.code).toBe('TICKET_NOT_VALID')
  expect((await put(own, png)).status).toBe(200)
  expect((await put(bobs, png)).status).toBe(200)
})

test('RULE-68 another type returns 415 and leaves the address usable', async () => {
  const ticket = await ticketFor()
  for (const type of ['image/jpeg', 'text/html', '']) {
    const { status, body } = await put(ticket, png, type === '' ? {} : { 'content-type': type })
    expect([type, status, body.code]).toEqual([type, 415, 'UNSUPPORTED_MEDIA_TYPE'])
  }
  expect((await put(ticket, png, { 'content-type': 'Image/PNG; charset=binary' })).status).toBe(200)
})

test('RULE-68 more bytes than announced return 413, before they are read or during the upload', async () => {
  const before = await filesOnDisk()
  const ticket = await ticketFor()
  expect((await put(ticket, Buffer.concat([png, png]))).body).toMatchObject({ code: 'FILE_TOO_LARGE' })

  /** Sends a chunked body without an end. */
  const answer = await new Promise<{ status: number | undefined; sent: number }>((resolve, reject) => {
    let sent = 0
    let status: number | undefined
    const headers = { 'content-type': 'image/png' }
    const request = httpRequest(server.url + ticket.url, { method: 'PUT', headers }, (response) => {
      status = response.statusCode
      response.resume()
    })
    const piece = Buffer.concat([png, Buffer.alloc(64 * 1024)])
    const write = () => {
      sent += piece.length
      if (!request.destroyed) request.write(piece, () => setTimeout(write, 5))
    }
    request.on('error', () => {})
    request.on('close', () => resolve({ status, sent }))
    setTimeout(() => reject(new Error('the stream was not aborted')), 8000).unref()
    write()
  })
  expect(answer.status).toBe(413)
  expect(await filesOnDisk()).toEqual(before)
  expect(await offsetOf(ticket)).toBe(410)
})

test('RULE-68 a picture of more than 50 megapixels is refused from its header without decoding', async () => {
  // 60,000 × 60,000 pixels of one colour: 14 GB decoded.
  const bomb = pngOf(60_000, 60_000)
  const ticket = await ticketFor({ size: bomb.length })
  const start = performance.now()
  expect((await put(ticket, bomb)).body).toMatchObject({ code: 'IMAGE_TOO_LARGE' })
  expect(performance.now() - start).toBeLessThan(underLoad(2000))
  const justFits = pngOf(10_000, 5000)
  expect((await put(await ticketFor({ size: justFits.length }), justFits)).status).toBe(200)
})

const mismatches: [string, string, Buffer][] = [
  ['a page as a picture', 'image/png', Buffer.from('<!doctype html><script>alert(1)</script>')],
  ['an SVG as a picture', 'image/png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['a drawing as a picture with its declaration', 'image/png', Buffer.from('<?xml version="1.0"?><svg/>')],
  ['a PNG as a PDF', 'application/pdf', png],
  ['a PNG as an archive', 'application/zip', png],
  ['a PNG as a text', 'text/csv', png],
  [
    'a program as a text',
    'text/plain',
    Buffer.from('\u007fELF\u0002\u0001\u0001\u0000\u0000\u0000\u0000\u0000'),
  ],
  ['bytes as a text', 'text/plain', Buffer.from([0x41, 0x00, 0x42, 0x00])],
  ['a text as a video', 'video/mp4', text],
  ['a text as an archive', 'application/gzip', text],
  ['a page as an SVG', 'image/svg+xml', Buffer.from('<html><svg></svg></html>')],
  ['an empty file as a picture', 'image/gif', Buffer.alloc(0)],
  [
    'the magic of a GIF before a script',
    'image/gif',
    Buffer.from('GIF89a/*<svg onload=alert(1)>*/=1;alert(1)'),
  ],
  [
    'a JPEG signature without a picture',
    'image/jpeg',
    Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3, 4, 5, 6, 7, 8]),
  ],
  ['a picture with a page in its comment', 'image/png', withComment('<html><script>alert(1)</script>')],
]

test.each(mismatches)('RULE-68 %s is refused because of its content', async (_what, contentType, bytes) => {
  const before = await filesOnDisk()
  const ticket = await ticketFor({ contentType, size: bytes.length })
  const { status, body } = await put(ticket, bytes, { 'content-type': contentType })
  expect([status, body.code]).toEqual([415, 'CONTENT_MISMATCH'])
  expect(await filesOnDisk()).toEqual(before)
  expect(await offsetOf(ticket)).toBe(410)
})

test.each([
  ['comments', '<!---->'.repeat(2000)],
  ['unclosed comments', '<!--'.repeat(4000)],
  ['spaces between comments', '<!-- --> '.repeat(1500)],
  ['declarations', '<?xml?>'.repeat(2000)],
  ['document types', '<!doctype svg>'.repeat(1000)],
  ['spaces', ' '.repeat(16_000)],
])('RULE-68 a drawing with many leading %s and no SVG element is refused quickly', async (_what, start) => {
  const bytes = Buffer.from(`${start}x`)
  const ticket = await ticketFor({ contentType: 'image/svg+xml', size: bytes.length })
  const before = performance.now()
  const { body } = await put(ticket, bytes, { 'content-type': 'image/svg+xml' })
  expect(body.code).toBe('CONTENT_MISMATCH')
  expect(performance.now() - before).toBeLessThan(underLoad(1000))
})

const matches: [string, string, Buffer][] = [
  ['image/jpeg', 'a photo', await sharp(png).jpeg().toBuffer()],
  ['image/webp', 'a picture', await sharp(png).webp().toBuffer()],
  ['image/gif', 'a picture', await sharp(png).gif().toBuffer()],
  ['image/avif', 'a picture', await sharp(png).avif({ effort: 0 }).toBuffer()],
  ['image/tiff', 'a picture', await sharp(png).tiff().toBuffer()],
  ['image/svg+xml', 'a drawing', Buffer.from('<?xml version="1.0"?>\n<!-- logo -->\n<svg xmlns="x"></svg>')],
  [
    'image/svg+xml',
    'a drawing after a long prefix',
    Buffer.from(
      `\uFEFF\n<?xml version="1.0"?>${'<!-- a -->\n'.repeat(9)}<!DOCTYPE svg PUBLIC "x" "y">\n<!----> <svg>`,
    ),
  ],
  ['text/csv', 'a table', text],
  ['text/csv', 'a table in Latin-1', Buffer.from('Größe;1', 'latin1')],
  ['text/plain', 'nothing', Buffer.alloc(0)],
  ['text/html', 'a page', Buffer.from('<!doctype html><p>x')],
  ['application/json', 'data', Buffer.from('{"a":1}')],
  ['application/octet-stream', 'anything', png],
  [
    'application/x-zip-compressed',
    'an archive by its name on Windows',
    Buffer.from('PK\u0005\u0006' + '\0'.repeat(18)),
  ],
]

test.each(matches)('RULE-68 %s: %s is accepted as its type', async (contentType, _what, bytes) => {
  const ticket = await ticketFor({ contentType, size: bytes.length })
  const { status, body } = await put(ticket, bytes, { 'content-type': contentType })
  expect([status, body.code]).toEqual([200, undefined])
  expect(await buffer(await server.app.files.open(body._id))).toEqual(bytes)
})

test('RULE-68 a picture under another name is stored, measured and served as what it is', async () => {
  const jpeg = await sharp(png).jpeg().toBuffer()
  const { status, body } = await put(await ticketFor({ size: jpeg.length }), jpeg)
  expect([status, body.contentType, body.name]).toEqual([200, 'image/jpeg', 'stand.jpg'])
  const row = await db.selectFrom('file').selectAll().where('id', '=', body._id).executeTakeFirstOrThrow()
  expect(row).toMatchObject({ width: 30, height: 20, content_type: 'image/jpeg', name: 'stand.jpg' })
  const { files } = server.app
  const link = files.link({ id: body._id, contentType: body.contentType }, { lifetime: 60_000, inline: true })
  const answer = await fetch(server.url + link)
  expect(answer.headers.get('content-type')).toBe('image/jpeg')
  expect(answer.headers.get('content-disposition')).toContain('inline; filename="stand.jpg"')
})

test('RULE-68 a refusal because of the content names the reason in the language of the reader', async () => {
  const ticket = await ticketFor({ size: 0 })
  const answer = await fetch(server.url + ticket.url, {
    method: 'PUT',
    headers: { 'content-type': 'image/png', 'accept-language': 'de-DE' },
    body: new Uint8Array(),
  })
  expect(await answer.json()).toMatchObject({
    code: 'CONTENT_MISMATCH',
    message: 'Die Datei ist leer',
    detail: { reason: 'empty' },
  })
})

test('RULE-68 a picture in an unmeasurable format is refused as a picture', async () => {
  for (const contentType of [
    'image/x-xcf',
    'image/vnd.adobe.photoshop',
    'image/heic',
    'image/x-win-bitmap',
  ]) {
    const answer = await ada.call(fileEndpoints.create, { body: { ...announced, contentType } })
    expect([answer.status, answer.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
  }
  const answer = await ada.call(fileEndpoints.create, { body: { ...announced, contentType: 'image/x-xcf' } })
  expect(answer.body).toMatchObject({
    message: expect.stringMatching(/^XCF pictures are not accepted\. Save the picture as JPEG or PNG/),
  })
})

test('FILE-01 API-22 an interrupted upload continues from its last byte, even on the other node', async () => {
  const large = Buffer.concat([png, Buffer.alloc(400_000, 7)])
  const ticket = await ticketFor({ size: large.length })
  await breakOff(ticket, large.subarray(0, 150_000), {
    'content-type': 'image/png',
    'content-length': `${large.length}`,
  })
  await expect.poll(() => offsetOf(ticket, second.url)).toBe(150_000)

  const range = (first: number, last = large.length - 1, size = large.length) => ({
    'content-type': 'image/png',
    'content-range': `bytes ${first}-${last}/${size}`,
  })
  const wrong = async (headers: Record<string, string>) => (await put(ticket, png, headers)).body.code
  expect(await wrong(range(100))).toBe('UPLOAD_INCOMPLETE')
  expect(await wrong(range(150_000, large.length, large.length + 1))).toBe('VALIDATION_FAILED')
  expect(await wrong(range(150_000, 400))).toBe('VALIDATION_FAILED')
  expect(await wrong({ ...range(0), 'content-range': 'bytes */*' })).toBe('VALIDATION_FAILED')
  expect(await offsetOf(ticket)).toBe(150_000)

  // One portion before the end, then the rest.
  const portion = await put(ticket, large.subarray(150_000, 200_000), range(150_000, 199_999), second.url)
  expect(portion.body.code).toBe('UPLOAD_INCOMPLETE')
  const { status, body } = await put(ticket, large.subarray(200_000), range(200_000))
  expect(status).toBe(200)
  expect(await buffer(await second.app.files.open(body._id))).toEqual(large)
  const { sha256 } = await db
    .selectFrom('file')
    .select('sha256')
    .where('id', '=', body._id)
    .executeTakeFirstOrThrow()
  expect(sha256?.toString('hex')).toBe(createHash('sha256').update(large).digest('hex'))
})

test('RULE-71 RULE-80 the move of a complete upload holds no transaction open, and its bytes survive a database outage', async () => {
  const driver = createDiskFiles(join(server.dataFolder, 'files'))
  if (driver.uploads.kind !== 'parts') throw new Error('uploads do not go to a disk')
  const { open, ...others } = driver.uploads
  const idle = async () => {
    const { rows } = await sql`
      select query from pg_stat_activity
      where datname = current_database() and state = 'idle in transaction'`.execute(db)
    return rows
  }
  let moves = 0
  const uploads = createUploadService({
    db,
    driver: { ...driver, uploads: { ...others, open: async (...place) => watched(await open(...place)) } },
    findProject: () => Promise.reject(new Error('the file belongs to no project')),
    space: { fileMax: 1_000_000, quota: 2_000_000, total: undefined },
    admit: async () => {},
  })
  const watched = (part: Part): Part => ({
    ...part,
    async keep() {
      // A job of the server may hold a short transaction.
      await expect.poll(idle).toEqual([])
      moves += 1
      await part.keep()
      if (moves === 1) throw new AppError('DATABASE_UNAVAILABLE')
    },
  })
  const { url } = await ticketFor()
  const token = url.slice(url.lastIndexOf('/') + 1)
  const receive = (body: Buffer, first = 0) =>
    uploads.receive(token, {
      contentType: 'image/png',
      length: body.length,
      range: { first, last: png.length - 1, size: png.length },
      body: Readable.from([body]),
    })
  await expect(receive(Buffer.from(png))).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' })
  expect(await uploads.received(token)).toEqual({ received: png.length, size: png.length })
  const stored = await receive(Buffer.alloc(0), png.length)
  expect(await buffer(await server.app.files.open(stored._id))).toEqual(png)
  expect(moves).toBe(2)
})

test.each([
  ['ends', 600_000, 'TICKET_NOT_VALID'],
  ['is refused', 700_000, 'FILE_TOO_LARGE'],
] as const)(
  'RULE-71 an upload that lost its hold and then %s does not touch the bytes of its successor',
  async (_how, end, code) => {
    const whole = Buffer.concat([png, Buffer.alloc(700_000, 7)])
    const large = whole.subarray(0, 600_000)
    const ticket = await ticketFor({ size: large.length })
    /** Sends the start of a body without a length. Returns a function that sends the rest. */
    const begin = async (bytes: Buffer, isWritten: (size: number) => boolean) => {
      const headers = { 'content-type': 'image/png' }
      const request = httpRequest(server.url + ticket.url, { method: 'PUT', headers })
      const answered = once(request, 'response') as Promise<[IncomingMessage]>
      request.write(bytes)
      await expect.poll(async () => isWritten(await partSize(ticket.filename))).toBe(true)
      return async (last: Buffer): Promise<PutAnswer['body']> => {
        request.end(last)
        const [response] = await answered
        return (await json(response)) as PutAnswer['body']
      }
    }
    const endFirst = await begin(whole.subarray(0, 400_000), (size) => size > 200_000)
    // As if the database had not answered its renewals.
    await db.updateTable('upload_ticket').set({ held_until: sql<Date>`now()` }).execute()
    // Starts the part again.
    const endSecond = await begin(large.subarray(0, 150_000), (size) => size > 0 && size < 200_000)
    expect(await endFirst(whole.subarray(400_000, end))).toMatchObject({ code })
    const stored = await endSecond(large.subarray(150_000))
    expect(stored.code).toBeUndefined()
    expect(await buffer(await server.app.files.open(stored._id))).toEqual(large)
  },
)

test('FILE-01 an upload that the server ends because no bytes arrive keeps its bytes', async () => {
  const large = Buffer.concat([png, Buffer.alloc(400_000, 7)])
  const ticket = await ticketFor({ size: large.length })
  const uploads = createUploadService({
    db,
    driver: createDiskFiles(join(server.dataFolder, 'files')),
    findProject: () => Promise.reject(new Error('the file belongs to no project')),
    space: { fileMax: 1_000_000, quota: 2_000_000, total: undefined },
    admit: async () => {},
  })
  const body = new Readable({ read: () => {} })
  body.push(large.subarray(0, 150_000))
  const token = ticket.url.slice(ticket.url.lastIndexOf('/') + 1)
  const bytes = { contentType: 'image/png', length: large.length, range: undefined, body }
  const refusal = uploads.receive(token, bytes).catch((error: unknown) => error)
  await expect.poll(() => partSize(ticket.filename)).toBe(150_000)
  // As the route does after 20 s.
  body.destroy()
  expect(await refusal).toMatchObject({ code: 'UPLOAD_INCOMPLETE' })
  expect(await offsetOf(ticket)).toBe(150_000)
})

test('FILE-01 an upload whose bytes were deleted starts again', async () => {
  const large = Buffer.concat([png, Buffer.alloc(400_000, 7)])
  const ticket = await ticketFor({ size: large.length })
  await breakOff(ticket, large.subarray(0, 150_000), { 'content-type': 'image/png' })
  await expect.poll(() => offsetOf(ticket)).toBe(150_000)
  await rm(join(server.dataFolder, 'files/parts', ticket.filename))
  const headers = {
    'content-type': 'image/png',
    'content-range': `bytes 150000-${large.length - 1}/${large.length}`,
  }
  expect((await put(ticket, large.subarray(150_000), headers)).body.code).toBe('UPLOAD_INCOMPLETE')
  expect(await offsetOf(ticket)).toBe(0)
  expect((await put(ticket, large)).status).toBe(200)
})

test('RULE-71 all files of a project stay within its quota, including open uploads', async () => {
  const ask = (size: number, project?: string) =>
    ada.call(fileEndpoints.create, {
      body: { ...announced, size, ...(project !== undefined && { project }) },
    })
  expect((await ask(1_000_001, projectId)).code).toBe('FILE_TOO_LARGE')
  const answers = await Promise.all(Array.from({ length: 8 }, () => ask(600_000, projectId)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
  const refused = answers.filter(({ status }) => status !== 200).map(({ status, code }) => [status, code])
  expect(refused).toEqual(Array.from({ length: 5 }, () => [507, 'PROJECT_FULL']))

  const keep = (bytes: number) =>
    server.app.files.keep(
      {
        projectId,
        personId: ada.personId,
        readers: 'project',
        name: 'a.bin',
        contentType: 'application/octet-stream',
        lifetime: 3_600_000,
      },
      Readable.from(Array.from({ length: bytes / 100_000 }, () => Buffer.alloc(100_000))),
    )
  const before = await filesOnDisk()
  await expect(keep(300_000)).rejects.toMatchObject({ code: 'PROJECT_FULL' })
  expect(await filesOnDisk()).toEqual(before)
  // Each file fits on its own. The second check, under the lock, rejects one of them.
  const both = await Promise.allSettled([keep(200_000), keep(200_000)])
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(await filesOnDisk()).toHaveLength(before.length + 1)
  expect((await ask(1)).status).toBe(200)
  expect((await ask(1, projectId)).code).toBe('PROJECT_FULL')

  await db.updateTable('upload_ticket').set({ expires_at: sql<Date>`now()` }).execute()
  expect((await ask(1, projectId)).status).toBe(200)
})

test('RULE-67 an uploader has at most 50 open uploads', async () => {
  for (let count = 0; count < 50; count += 1) await ticketFor({ size: 1 })
  const answer = await ada.call(fileEndpoints.create, { body: announced })
  expect([answer.status, answer.code]).toEqual([429, 'TOO_MANY_REQUESTS'])
  await ticketFor({}, await given.person())
})

test('RULE-51 RULE-67 a project that the caller may not see accepts no file, and foreign files return 404', async () => {
  const bob = await given.person()
  const root = await given.person({ isRoot: true })
  const viewer = await given.person()
  const shared = await given.project(ada, { grants: [{ person: viewer, productRole: 'project/viewer' }] })
  const project = shared.projectId
  expect((await bob.call(fileEndpoints.create, { body: { ...announced, project } })).code).toBe('NOT_FOUND')
  await ticketFor({ project }, viewer)

  const own = await ticketFor()
  const { body: mine } = await put(own, png)
  const { body: ours } = await put(await ticketFor({ project }), png)
  const statuses = async (file: StoredFile, endpoint: 'read' | 'link' | 'remove') =>
    Promise.all(
      [bob, viewer, root].map(async (person) => {
        const params = { fileId: file._id }
        return (await person.call(fileEndpoints[endpoint], { params })).status
      }),
    )
  expect(await statuses(mine, 'read')).toEqual([404, 404, 200])
  expect(await statuses(mine, 'link')).toEqual([404, 404, 200])
  expect(await statuses(mine, 'remove')).toEqual([404, 404, 403])
  expect(await statuses(ours, 'read')).toEqual([404, 200, 200])
  expect(await statuses(ours, 'link')).toEqual([404, 200, 200])
  expect(await statuses(ours, 'remove')).toEqual([404, 403, 403])
  const complete = (by: GivenPerson, { filename }: { filename: string }) =>
    by.call(fileEndpoints.complete, { params: { filename } })
  expect((await complete(bob, own)).code).toBe('NOT_FOUND')
  expect((await complete(root, own)).code).toBe('NOT_FOUND')
  expect((await complete(ada, await ticketFor())).code).toBe('UPLOAD_INCOMPLETE')

  const params = { fileId: mine._id }
  expect(await ada.call(fileEndpoints.remove, { params })).toSucceed()
  expect((await ada.call(fileEndpoints.read, { params })).code).toBe('NOT_FOUND')
})

/** Creates a picture of one colour without holding its pixels in memory. */
function pngOf(width: number, height: number): Buffer {
  const row = Buffer.alloc(Math.ceil(width / 8) + 1)
  const deflate = createDeflateOfRows(row, Math.min(height, 200))
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([1, 0, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunkOf('IHDR', header),
    chunkOf('IDAT', deflate),
    chunkOf('IEND', Buffer.alloc(0)),
  ])
}

function createDeflateOfRows(row: Buffer, count: number): Buffer {
  return deflateSync(Buffer.concat(Array.from({ length: count }, () => row)))
}

function chunkOf(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(body.length + 8)
  frame.writeUInt32BE(data.length, 0)
  body.copy(frame, 4)
  frame.writeUInt32BE(crc32(body), body.length + 4)
  return frame
}

/** Returns a valid PNG with a comment before its pixels. */
function withComment(comment: string): Buffer {
  const afterHeader = 8 + 25
  const chunk = chunkOf('tEXt', Buffer.from(`Comment\0${comment}`, 'latin1'))
  return Buffer.concat([png.subarray(0, afterHeader), chunk, png.subarray(afterHeader)])
}
