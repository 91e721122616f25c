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
import { sessionOf } from './testing/session-of.ts'
import { createUploadService } from './upload.service.ts'

const settings = { FILE_QUOTA: '2000000', FILE_MAX_SIZE: '1000000' }
const server = await testServer({ settings })
const second = await testServer({ besides: server, settings })
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
]

test.each(mismatches)('RULE-68 %s is refused because of its content', async (_what, contentType, bytes) => {
  const before = await filesOnDisk()
  const ticket = await ticketFor({ contentType, size: bytes.length })
  const { status, body } = await put(ticket, bytes, { 'content-type': contentType })
  expect([status, body.code]).toEqual([415, 'CONTENT_MISMATCH'])
  expect(await filesOnDisk()).toEqual(before)
  expect(await offsetOf(ticket)).toBe(410)
})

test('RULE-68 a picture with a page in its comment is a picture', async () => {
  const bytes = withComment('<html><script>alert(1)</script>')
  const ticket = await ticketFor({ contentType: 'image/png', size: bytes.length })
  expect((await put(ticket, bytes, { 'content-type': 'image/png' })).status).toBe(200)
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
  const file = { id: body._id, contentType: body.contentType }
  const link = files.link(await sessionOf(db, ada), file, { lifetime: 60_000, inline: true })
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
    checkProject: () => Promise.reject(new Error('the file belongs to no project')),
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
    checkProject: () => Promise.reject(new Error('the file belongs to no project')),
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

test('RULE-71 all files of a project stay within its quota under concurrent uploads', async () => {
  const people = await Promise.all(Array.from({ length: 8 }, () => given.person()))
  const grants = people.map((person) => ({ person, productRole: 'project/operator' }))
  const { projectId: project } = await given.project(ada, { grants })
  const file = { contentType: 'application/octet-stream', size: 600_000, project }
  const ask = (size: number, within?: string) =>
    ada.call(fileEndpoints.create, {
      body: { ...announced, size, ...(within !== undefined && { project: within }) },
    })
  expect((await ask(1_000_001, project)).code).toBe('FILE_TOO_LARGE')
  const tickets = await Promise.all(people.map((person) => ticketFor(file, person)))
  const answers = await Promise.all(
    tickets.map((ticket, index) =>
      put(ticket, Buffer.alloc(600_000), ticket.headers, [server.url, second.url][index % 2]),
    ),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
  const refused = answers.filter(({ status }) => status !== 200)
  expect(refused.map(({ status, body }) => [status, body.code])).toEqual(
    Array.from({ length: 5 }, () => [507, 'PROJECT_FULL']),
  )
  const before = await filesOnDisk()
  expect((await ask(600_000, project)).code).toBe('PROJECT_FULL')

  const keep = (bytes: number) =>
    server.app.files.keep(
      {
        projectId: project,
        personId: ada.personId,
        readers: 'project',
        name: 'a.bin',
        contentType: 'application/octet-stream',
        lifetime: 3_600_000,
      },
      Readable.from(Array.from({ length: bytes / 100_000 }, () => Buffer.alloc(100_000))),
    )
  await expect(keep(300_000)).rejects.toMatchObject({ code: 'PROJECT_FULL' })
  expect(await filesOnDisk()).toEqual(before)
  // Each file fits on its own. The second check, under the lock, rejects one of them.
  const both = await Promise.allSettled([keep(200_000), keep(200_000)])
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(await filesOnDisk()).toHaveLength(before.length + 1)
  expect((await ask(1)).status).toBe(200)
  expect((await ask(1, project)).code).toBe('PROJECT_FULL')
})

test('RULE-71 announced uploads take no space from others, however many and large they are', async () => {
  const operator = await given.person()
  const grants = [{ person: operator, productRole: 'project/operator' }]
  const shared = await given.project(ada, { grants })
  const contentType = 'application/octet-stream'
  const file = { contentType, size: 1_000_000, project: shared.projectId }
  for (let count = 0; count < 20; count += 1) await ticketFor(file, operator)
  const ticket = await ticketFor(file)
  expect((await put(ticket, Buffer.alloc(1_000_000), { 'content-type': contentType })).status).toBe(200)
})

test('RULE-71 the bytes of unfinished uploads count, and those that exceed the quota are refused and deleted', async () => {
  const contentType = 'application/octet-stream'
  const owners = await Promise.all([given.person(), given.person(), given.person()])
  const grants = owners.map((person) => ({ person, productRole: 'project/operator' }))
  const shared = await given.project(ada, { grants })
  const file = { contentType, size: 1_000_000, project: shared.projectId }
  const first = { 'content-type': contentType, 'content-range': 'bytes 0-799999/1000000' }
  const tickets: UploadTicket[] = []
  for (const owner of owners) tickets.push(await ticketFor(file, owner))
  const answers: unknown[] = []
  for (const ticket of tickets) answers.push((await put(ticket, Buffer.alloc(800_000), first)).body.code)
  // 1.6 MB of 2 MB have arrived. The rest of the third file would not fit.
  expect(answers).toEqual(['UPLOAD_INCOMPLETE', 'UPLOAD_INCOMPLETE', 'PROJECT_FULL'])
  const [one, two, three] = tickets as [UploadTicket, UploadTicket, UploadTicket]
  expect([await partSize(one.filename), await partSize(three.filename)]).toEqual([800_000, 0])
  const rest = { 'content-type': contentType, 'content-range': 'bytes 800000-999999/1000000' }
  expect((await put(one, Buffer.alloc(200_000), rest)).status).toBe(200)
  expect((await put(two, Buffer.alloc(200_000), rest)).status).toBe(200)
  expect((await ada.call(fileEndpoints.create, { body: { ...announced, ...file, size: 1 } })).code).toBe(
    'PROJECT_FULL',
  )
})

test('RULE-71 a transfer whose rest no longer fits is refused before it begins, and its bytes stay', async () => {
  const contentType = 'application/octet-stream'
  const ticket = await ticketFor({ contentType, size: 1_000_000 })
  const part = (first: number, last: number) => ({
    'content-type': contentType,
    'content-range': `bytes ${first}-${last}/1000000`,
  })
  const portion = await put(ticket, Buffer.alloc(600_000), part(0, 599_999))
  expect(portion.body.code).toBe('UPLOAD_INCOMPLETE')
  const other = await server.app.files.keep(
    {
      projectId: null,
      personId: ada.personId,
      readers: 'person',
      name: 'b',
      contentType,
      lifetime: 3_600_000,
    },
    Readable.from([Buffer.alloc(1_300_000)]),
  )
  const refused = await put(ticket, Buffer.alloc(400_000), part(600_000, 999_999))
  expect([refused.status, refused.body.code]).toEqual([507, 'PROJECT_FULL'])
  expect(await offsetOf(ticket)).toBe(600_000)
  await db.transaction().execute((trx) => server.app.files.release(trx, [other.id]))
  const again = async () => (await put(ticket, Buffer.alloc(400_000), part(600_000, 999_999))).status
  await expect.poll(again).toBe(200)
})

test('RULE-71 a transfer ends with PROJECT_FULL as soon as its bytes exceed the quota', async () => {
  const quota = 30_000_000
  const large = await testServer({ settings: { FILE_QUOTA: String(quota) } })
  const owner = await large.given.person()
  const contentType = 'application/octet-stream'
  const uploads = createUploadService({
    db: large.db,
    driver: createDiskFiles(join(large.dataFolder, 'files')),
    checkProject: () => Promise.reject(new Error('the file belongs to no project')),
    space: { fileMax: quota, quota, total: undefined },
    admit: async () => {},
    pace: { interval: 3_600_000, bytes: 100_000 },
  })
  const file = { filename: 'a.bin', contentType, size: quota }
  const { body: ticket } = await owner.call(fileEndpoints.create, { body: file })
  const token = ticket.url.slice(ticket.url.lastIndexOf('/') + 1)
  large.watchSecret(token)
  const body = new Readable({ read: () => {} })
  let [sent, isOver] = [0, false]
  const send = () => {
    sent += 150_000
    body.push(Buffer.alloc(150_000))
  }
  const refusal = uploads
    .receive(token, { contentType, length: undefined, range: undefined, body })
    .catch((error: unknown) => error)
    .finally(() => (isOver = true))
  const received = async () => (await uploads.received(token)).received
  send()
  await expect.poll(received).toBe(150_000)
  // Another file takes the rest meanwhile.
  await large.app.files.keep(
    {
      projectId: null,
      personId: owner.personId,
      readers: 'person',
      name: 'b.bin',
      contentType,
      lifetime: 3_600_000,
    },
    Readable.from([Buffer.alloc(quota - 200_000)]),
  )
  const sending = setInterval(() => !isOver && sent < quota && send(), 30)
  expect(await refusal).toMatchObject({ code: 'PROJECT_FULL' })
  clearInterval(sending)
  expect(sent).toBeLessThan(quota)
  expect(await received()).toBe(0)
  expect(await readdir(join(large.dataFolder, 'files/parts'))).toEqual([])
})

test('RULE-71 several unfinished uploads of one uploader use at most half of a project, and a single one all that is left', async () => {
  const contentType = 'application/octet-stream'
  const [operator, other] = [await given.person(), await given.person()]
  const grants = [operator, other].map((person) => ({ person, productRole: 'project/operator' }))
  const shared = await given.project(ada, { grants })
  const file = { contentType, size: 900_000, project: shared.projectId }
  const first = { 'content-type': contentType, 'content-range': 'bytes 0-599999/900000' }
  const [one, two] = [await ticketFor(file, operator), await ticketFor(file, operator)]
  expect((await put(one, Buffer.alloc(600_000), first)).body.code).toBe('UPLOAD_INCOMPLETE')
  const refused = await put(two, Buffer.alloc(600_000), first)
  expect([refused.status, refused.body.code]).toEqual([429, 'TOO_MANY_REQUESTS'])
  const ofOther = await ticketFor(file, other)
  expect((await put(ofOther, Buffer.alloc(600_000), first)).body.code).toBe('UPLOAD_INCOMPLETE')
  // An abandoned upload gives way to the next one of its uploader, although there is space.
  await sql`update upload_ticket t set expires_at = now() from file f
    where f.id = t.file_id and f.filename = ${one.filename}`.execute(db)
  expect((await put(two, Buffer.alloc(600_000), first)).body.code).toBe('UPLOAD_INCOMPLETE')
  expect(await partSize(one.filename)).toBe(0)
  expect(await partSize(ofOther.filename)).toBe(600_000)
})

test('RULE-67 an uploader has at most 50 open uploads', async () => {
  for (let count = 0; count < 50; count += 1) await ticketFor({ size: 1 })
  const answer = await ada.call(fileEndpoints.create, { body: announced })
  expect([answer.status, answer.code]).toEqual([429, 'TOO_MANY_REQUESTS'])
  await ticketFor({}, await given.person())
})

test('RULE-51 RULE-67 a project accepts no file of callers who may not see it or only read it, and foreign files return 404', async () => {
  const bob = await given.person()
  const root = await given.person({ isRoot: true })
  const [viewer, member, editor, owner] = [
    await given.person(),
    await given.person(),
    await given.person(),
    await given.person(),
  ]
  const org = await given.organisation(owner)
  const shared = await given.project(ada, {
    org,
    products: ['project', 'media-library'],
    grants: [
      { person: viewer, productRole: 'project/viewer' },
      { person: viewer, productRole: 'media-library/viewer' },
      // The project does not use the product of this role.
      { person: viewer, productRole: 'edges/operator' },
      { person: member, productRole: null },
      { person: editor, productRole: 'media-library/editor' },
    ],
  })
  const project = shared.projectId
  const body = { ...announced, project }
  expect((await bob.call(fileEndpoints.create, { body })).code).toBe('NOT_FOUND')
  for (const reader of [viewer, member]) {
    const refused = await reader.call(fileEndpoints.create, { body })
    expect([refused.status, refused.code]).toEqual([403, 'FORBIDDEN'])
    expect(refused.body).toMatchObject({
      message: expect.stringMatching(/^Access denied\. This needs the role Editor\. Ask /),
      detail: {
        project,
        roles: [{ id: 'media-library/editor' }, { id: 'project/operator' }, { id: 'project/maintainer' }],
      },
    })
  }
  for (const writer of [editor, owner, root]) await ticketFor({ project }, writer)

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

test.each([
  'text/html; charset=utf-8',
  'image/png, text/html',
  'image/png text/html',
  'text/html\0',
  'image/png\r\nx-odd: 1',
  'multipart/x-mixed-replace; boundary=a',
  ' text/html',
  '*/*',
  'text',
])('RULE-68 %j is no type of a file', async (contentType) => {
  const answer = await ada.call(fileEndpoints.create, { body: { ...announced, contentType } })
  expect(answer).toFailWith('VALIDATION_FAILED')
})

test('RULE-67 80 slow uploads of two people do not delay the upload of another', async () => {
  const slow: ReturnType<typeof httpRequest>[] = []
  for (const by of [await given.person(), await given.person()])
    for (let count = 0; count < 40; count += 1) {
      const { url } = await ticketFor({ size: 1000 }, by)
      const headers = { 'content-type': 'image/png', 'content-length': '1000' }
      const request = httpRequest(server.url + url, { method: 'PUT', headers })
      request.on('error', () => {})
      request.write(png.subarray(0, 1))
      slow.push(request)
    }
  const held = async () => {
    const { rows } = await sql`select from upload_ticket where held_until > now()`.execute(db)
    return rows.length
  }
  await expect.poll(held).toBeGreaterThanOrEqual(80)
  const own = await ticketFor()
  const start = performance.now()
  expect((await put(own, png)).status).toBe(200)
  expect(performance.now() - start).toBeLessThan(underLoad(3000))
  for (const request of slow) request.destroy()
})
