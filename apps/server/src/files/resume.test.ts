import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { readdir, statfs, writeFile } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import {
  type ErrorCode,
  fileEndpoints,
  passwordEndpoints,
  rootGrantEndpoints,
  type StoredFile,
  taskTokenEndpoints,
  type UploadTicket,
} from '@pult/contract'
import { extensionFolder, type GivenPerson, smallDisk, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { createDiskFiles } from '#platform/files/disk-files.ts'
import { hashToken } from '#platform/secrets.ts'
import { createFileRepository } from './file.repository.ts'
import { createUploadService } from './upload.service.ts'

const folder = await extensionFolder({
  forge: {
    manifest: {
      id: 'forge',
      products: [
        {
          sku: 'forge',
          label: 'Forge',
          roles: [
            { id: 'visitor', label: 'Visitor', roles: ['forge'] },
            { id: 'smith', label: 'Smith', roles: ['forge', 'forge:fire'] },
          ],
        },
      ],
      tasks: [{ kind: 'render', label: 'Render' }],
    },
  },
})
const server = await testServer({
  extensionsFolder: folder,
  settings: { FILE_QUOTA: '2000000', FILE_MAX_SIZE: '1500000' },
})
const second = await testServer({ besides: server, extensionsFolder: folder })
const { db, given } = server

const contentType = 'application/octet-stream'
const bytes = randomBytes(600_000)
const begun = 200_000

/** More than the 128 KiB of one write of the server. */
const written = 150_000
const large = randomBytes(9 * written)

let ada: GivenPerson
beforeEach(async () => {
  ada = await given.person()
})

async function ticketFor(size = bytes.length, project?: string, by = ada): Promise<UploadTicket> {
  const body = { filename: 'a.bin', contentType, size, ...(project !== undefined && { project }) }
  const answer = await by.call(fileEndpoints.create, { body })
  expect(answer).toSucceed()
  server.watchSecret(tokenOf(answer.body))
  return answer.body
}

const tokenOf = ({ url }: { url: string }) => url.slice(url.lastIndexOf('/') + 1)

const resume = ({ filename }: { filename: string }, by = ada) =>
  by.call(fileEndpoints.resume, { params: { filename } })

async function put(
  { url }: { url: string },
  from = 0,
  at = server.url,
): Promise<{ status: number; body: StoredFile & { code?: ErrorCode } }> {
  const response = await fetch(at + url, {
    method: 'PUT',
    headers: {
      'content-type': contentType,
      ...(from > 0 && { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` }),
    },
    body: new Uint8Array(bytes.subarray(from)),
  })
  return { status: response.status, body: (await response.json()) as StoredFile & { code?: ErrorCode } }
}

/** Sends the start of the bytes as one portion, so that all of them are confirmed. */
async function begin({ url }: UploadTicket, size = bytes.length): Promise<void> {
  const answer = await fetch(server.url + url, {
    method: 'PUT',
    headers: { 'content-type': contentType, 'content-range': `bytes 0-${begun - 1}/${size}` },
    body: new Uint8Array(bytes.subarray(0, begun)),
  })
  expect(answer.status).toBe(409)
}

/** Moves the times of an upload into the past, like a clock that advances. */
async function pass(minutes: number, { filename }: { filename: string }): Promise<void> {
  const past = (column: string) => sql<Date>`${sql.ref(column)} - ${minutes} * interval '1 minute'`
  await db
    .updateTable('file')
    .set({ created_at: past('created_at') })
    .where('filename', '=', filename)
    .execute()
  await db
    .updateTable('upload_ticket')
    .set({ expires_at: past('expires_at') })
    .where('file_id', '=', (query) => query.selectFrom('file').select('id').where('filename', '=', filename))
    .execute()
}

const rowOf = ({ filename }: { filename: string }) =>
  db
    .selectFrom('file as f')
    .leftJoin('upload_ticket as t', 't.file_id', 'f.id')
    .select(['t.received', 't.expires_at', 'f.released_at', 'f.stored_at'])
    .where('f.filename', '=', filename)
    .executeTakeFirst()

/** An upload service that confirms bytes after the given number of them, or milliseconds. */
const pacedUploads = (pace: { bytes: number; interval: number }) =>
  createUploadService({
    db,
    driver: createDiskFiles(join(server.dataFolder, 'files')),
    checkProject: () => Promise.reject(new Error('the file belongs to no project')),
    space: { fileMax: 1_000_000, quota: 2_000_000, total: undefined },
    admit: async () => {},
    pace,
  })

/** Begins a transfer. Its result is the stored file or the code of its error. */
function transfer(
  ticket: UploadTicket,
  body: Readable,
  { bytes: most = 50_000, interval = 3_600_000 } = {},
): Promise<StoredFile | string> {
  return pacedUploads({ bytes: most, interval })
    .receive(tokenOf(ticket), { contentType, length: undefined, range: undefined, body })
    .catch((error: unknown) => (error as { code: string }).code)
}

const confirmed = async (ticket: UploadTicket) => (await rowOf(ticket))?.received ?? 0

test('FILE-01 a steady upload of nine lifetimes of its address arrives', async () => {
  const ticket = await ticketFor(large.length)
  const body = new PassThrough()
  const stored = transfer(ticket, body)
  for (let end = written; end < large.length; end += written) {
    body.write(large.subarray(end - written, end))
    await expect.poll(() => confirmed(ticket)).toBe(end)
    await pass(14, ticket)
  }
  body.end(large.subarray(-written))
  expect(await stored).toMatchObject({ filename: ticket.filename, size: large.length })
})

test('FILE-01 the time limit of a transfer moves with its bytes, up to a day after its start', async () => {
  const ticket = await ticketFor(large.length)
  const body = new PassThrough()
  await db.updateTable('upload_ticket').set({ expires_at: sql<Date>`now() + interval '500 ms'` }).execute()
  const early = (await rowOf(ticket))?.expires_at?.getTime() ?? 0
  const stored = transfer(ticket, body)
  body.write(large.subarray(0, written))
  await expect.poll(() => confirmed(ticket)).toBe(written)
  const now = async () => (await sql<{ now: Date }>`select now()`.execute(db)).rows[0]?.now.getTime()
  await expect.poll(now).toBeGreaterThan(early + 500)
  body.write(large.subarray(written, 2 * written))
  await expect.poll(() => confirmed(ticket)).toBe(2 * written)

  await pass(25 * 60, ticket)
  await db
    .updateTable('upload_ticket')
    .set({ expires_at: sql<Date>`now() + interval '10 minutes'` })
    .execute()
  body.write(large.subarray(2 * written, 3 * written))
  expect(await stored).toBe('TICKET_NOT_VALID')
  expect(await resume(ticket)).toFailWith('TICKET_NOT_VALID')
  await server.app.sweepFiles()
  expect(await rowOf(ticket)).toBeUndefined()
})

test('FILE-01 only new bytes extend an address, and the last one by the time of the checks', async () => {
  const ticket = await ticketFor(1000)
  const files = createFileRepository(db)
  const [tokenHash, holder] = [hashToken(tokenOf(ticket)), randomUUID()]
  await files.hold(tokenHash, holder)
  const minutesAfter = async (received: number) =>
    Math.round(((await files.renew(tokenHash, holder, received)) ?? 0) / 60_000)
  expect(await minutesAfter(500)).toBe(15)
  await pass(10, ticket)
  expect(await minutesAfter(500)).toBe(5)
  expect(await minutesAfter(600)).toBe(15)
  // Five minutes before the end of the day.
  await pass(24 * 60 - 15, ticket)
  await db
    .updateTable('upload_ticket')
    .set({ expires_at: sql<Date>`now() + interval '10 minutes'` })
    .execute()
  expect(await minutesAfter(700)).toBe(5)
  expect(await minutesAfter(1000)).toBe(15)
})

test('FILE-01 a slow transfer confirms its few bytes at intervals, and ends when its address expires', async () => {
  const ticket = await ticketFor()
  const body = new PassThrough()
  const slow = transfer(ticket, body, { bytes: 1_000_000, interval: 50 })
  body.write(bytes.subarray(0, written))
  await expect.poll(() => confirmed(ticket)).toBe(written)
  body.end(bytes.subarray(written))
  expect(await slow).toMatchObject({ filename: ticket.filename })

  const silent = await ticketFor()
  await db.updateTable('upload_ticket').set({ expires_at: sql<Date>`now() + interval '300 ms'` }).execute()
  expect(await transfer(silent, new PassThrough())).toBe('TICKET_NOT_VALID')
})

test('FILE-01 RULE-67 after 16 minutes of sleep an upload continues with a new address, in another session and on the other node', async () => {
  const ticket = await ticketFor()
  await begin(ticket)
  await pass(16, ticket)
  expect((await put(ticket, begun)).body.code).toBe('TICKET_NOT_VALID')
  expect((await fetch(server.url + ticket.url, { method: 'HEAD' })).status).toBe(410)
  await server.app.sweepFiles()

  const token = await ada.openSession()
  await db
    .updateTable('session')
    .set({ ended_at: sql<Date>`now()` })
    .where('person_id', '=', ada.personId)
    .where('id', '!=', (query) =>
      query
        .selectFrom('session')
        .select('id')
        .where('person_id', '=', ada.personId)
        .orderBy('created_at', 'desc')
        .limit(1),
    )
    .execute()
  const answer = await second.call(fileEndpoints.resume, { params: { filename: ticket.filename } }, token)
  expect(answer).toSucceed()
  expect(answer.body).toMatchObject({
    url: expect.stringMatching(/^\/api\/uploads\/[\w-]{43}$/),
    filename: ticket.filename,
    headers: { 'content-type': contentType },
    isResumable: true,
    partBytes: null,
    received: begun,
    parts: [],
  })
  server.watchSecret(tokenOf(answer.body))
  expect(Date.parse(answer.body.expiresAt) - Date.now()).toBeGreaterThan(14 * 60_000)
  const { status, body } = await put(answer.body, begun, second.url)
  expect(status).toBe(200)
  expect(await buffer(await server.app.files.open(body._id))).toEqual(bytes)
  const row = await db.selectFrom('file').select('sha256').where('id', '=', body._id).executeTakeFirst()
  expect(row?.sha256?.toString('hex')).toBe(createHash('sha256').update(bytes).digest('hex'))
})

test('FILE-01 RULE-32 only the uploader resumes, also after a changed password, until the upload is stored or a day old', async () => {
  const ticket = await ticketFor()
  const address = await resume(ticket)
  expect(await resume(ticket, await given.person())).toFailWith('NOT_FOUND')
  expect(await resume(ticket, await given.person({ isRoot: true }))).toFailWith('NOT_FOUND')
  expect(await server.call(fileEndpoints.resume, { params: { filename: ticket.filename } })).toFailWith(
    'UNAUTHENTICATED',
  )
  expect((await put(ticket)).body.code).toBe('TICKET_NOT_VALID')

  const other = await ada.openSession()
  const newPass = 'ein ganz anderes Kennwort 8'
  server.watchSecret(newPass)
  expect(
    await server.call(passwordEndpoints.change, { body: { oldPass: ada.password, newPass } }, other),
  ).toSucceed()
  expect((await put(address.body)).body.code).toBe('TICKET_NOT_VALID')
  expect(await resume(ticket)).toFailWith('UNAUTHENTICATED')
  const params = { filename: ticket.filename }
  const again = await server.call(fileEndpoints.resume, { params }, other)
  expect((await put(again.body)).status).toBe(200)
  expect(await server.call(fileEndpoints.resume, { params }, other)).toFailWith('NOT_FOUND')
  expect(await server.call(fileEndpoints.complete, { params }, other)).toSucceed()
})

test('FILE-01 of two concurrent resumes one address is valid, and a running transfer is not interrupted', async () => {
  const ticket = await ticketFor()
  const answers = await Promise.all([resume(ticket), resume(ticket)])
  for (const answer of answers) expect(answer).toSucceed()
  const offsets = await Promise.all(
    answers.map(async ({ body }) => (await fetch(server.url + body.url, { method: 'HEAD' })).status),
  )
  expect(offsets.toSorted()).toEqual([200, 410])

  const { body: current } = await resume(ticket)
  const headers = { 'content-type': contentType, 'content-length': bytes.length }
  const request = httpRequest(server.url + current.url, { method: 'PUT', headers })
  const status = new Promise<number | undefined>((resolve) => {
    request.on('response', (response) => resolve(response.resume().statusCode))
  })
  request.write(bytes.subarray(0, 300_000))
  // An upload of another test may still be held.
  const holder = () =>
    db
      .selectFrom('upload_ticket')
      .innerJoin('file', 'file.id', 'upload_ticket.file_id')
      .select('held_by')
      .where('filename', '=', ticket.filename)
      .where('held_by', 'is not', null)
      .execute()
  await expect.poll(async () => (await holder()).length).toBe(1)
  const refused = await resume(ticket)
  expect(refused).toFailWith('UPLOAD_RUNNING')
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  const other = await fetch(server.url + current.url, {
    method: 'PUT',
    headers: { 'content-type': contentType },
    body: new Uint8Array(bytes),
  })
  expect([other.status, Number(other.headers.get('retry-after')) > 0]).toEqual([409, true])
  request.end(bytes.subarray(300_000))
  expect(await status).toBe(200)
})

test('FILE-01 DEC-14 an upload into a project is resumed only while its uploader may write to the project', async () => {
  const root = await given.person({ isRoot: true })
  const demir = await given.person()
  const grants = [
    { person: demir, productRole: 'forge/smith' },
    { person: demir, productRole: 'forge/visitor' },
  ]
  const { projectId, grantIds } = await given.project(root, { products: ['forge'], grants })
  const ticket = await ticketFor(bytes.length, projectId, demir)
  await begin(ticket)
  for (const [index, code] of (['FORBIDDEN', 'NOT_FOUND'] as const).entries()) {
    const params = { projectId, grantId: grantIds[index] ?? '' }
    expect(await root.call(rootGrantEndpoints.remove, { params })).toSucceed()
    expect(await resume(ticket, demir)).toFailWith(code)
  }
})

test('FILE-01 DEC-47 a service resumes only its project’s uploads, also with another token', async () => {
  const owner = await given.person()
  const tokenOfProject = async () => {
    const { projectId } = await given.project(owner, { products: ['forge'] })
    const make = async () => {
      const body = { label: 'Render farm', types: ['forge/*'] }
      const made = await owner.call(taskTokenEndpoints.create, { params: { projectId }, body })
      expect(made).toSucceed()
      server.watchSecret(made.body.token)
      return made.body.token
    }
    return { projectId, tokens: [await make(), await make()] as const }
  }
  const { projectId, tokens } = await tokenOfProject()
  const body = { filename: 'a.bin', contentType, size: bytes.length, project: projectId }
  const { body: ticket } = await server.call(fileEndpoints.create, { body }, tokens[0])
  await begin(ticket)
  const params = { filename: ticket.filename }
  const [foreign] = (await tokenOfProject()).tokens
  expect(await server.call(fileEndpoints.resume, { params }, foreign)).toFailWith('NOT_FOUND')
  expect(await resume(ticket, owner)).toFailWith('NOT_FOUND')
  const { body: resumed } = await server.call(fileEndpoints.resume, { params }, tokens[1])
  expect(resumed.received).toBe(begun)
  expect((await put(resumed, begun)).status).toBe(200)
})

test('FILE-01 RULE-71 expired uploads count with their bytes, and the oldest ones give way to new files', async () => {
  const bob = await given.person()
  const { projectId } = await given.project(ada, {
    products: ['forge'],
    grants: [{ person: bob, productRole: 'forge/smith' }],
  })
  const tickets: UploadTicket[] = []
  for (let count = 0; count < 3; count += 1) {
    const ticket = await ticketFor(bytes.length, projectId)
    await begin(ticket)
    await pass(30 - count, ticket)
    tickets.push(ticket)
  }
  const [oldest, middle, newest] = tickets as [UploadTicket, UploadTicket, UploadTicket]
  const hasBytes = async ({ filename }: UploadTicket) =>
    (await readdir(join(server.dataFolder, 'files/parts'))).includes(filename)
  /** Uploads a whole file of another member. */
  const store = async (size: number) => {
    const ticket = await ticketFor(size, projectId, bob)
    // A ticket alone makes no upload give way.
    expect(await hasBytes(oldest)).toBe((await rowOf(oldest))?.released_at === null)
    const body = new Uint8Array(size)
    return (
      await fetch(server.url + ticket.url, { method: 'PUT', headers: { 'content-type': contentType }, body })
    ).status
  }
  // 3 × 200,000 bytes of 2,000,000 are used.
  expect(await store(1_000_000)).toBe(200)
  expect(await hasBytes(oldest)).toBe(true)
  // 400,000 bytes are free. The oldest one has to give way.
  expect(await store(500_000)).toBe(200)
  expect([await hasBytes(oldest), await hasBytes(middle)]).toEqual([false, true])
  expect(await resume(oldest)).toFailWith('TICKET_NOT_VALID')
  // The others need 400,000 bytes each for their rest, and only 100,000 and those of the middle one are left.
  expect(await resume(newest)).toFailWith('PROJECT_FULL')
  expect((await rowOf(middle))?.released_at).toBeNull()
  await db
    .updateTable('file')
    .set({ released_at: sql<Date>`now()` })
    .where('project_id', '=', projectId)
    .where('size', '=', 500_000)
    .execute()
  await server.app.sweepFiles()
  expect(await resume(newest)).toSucceed()
})

test('RULE-71 a fault of the server during the checks keeps the bytes of an upload', async () => {
  const driver = createDiskFiles(join(server.dataFolder, 'files'))
  const { uploads } = driver
  if (uploads.kind !== 'parts') throw new Error('uploads do not go to a disk')
  const ticket = await ticketFor()
  const faulty = createUploadService({
    db,
    driver: {
      ...driver,
      uploads: {
        ...uploads,
        open: async (...place) => ({
          ...(await uploads.open(...place)),
          finish: () => Promise.reject(Object.assign(new Error('too many open files'), { code: 'EMFILE' })),
        }),
      },
    },
    checkProject: () => Promise.reject(new Error('the file belongs to no project')),
    space: { fileMax: 1_000_000, quota: 2_000_000, total: undefined },
    admit: async () => {},
  })
  const whole = {
    contentType,
    length: bytes.length,
    range: undefined,
    body: Readable.from([Buffer.from(bytes)]),
  }
  await expect(faulty.receive(tokenOf(ticket), whole)).rejects.toThrow('too many open files')
  const { body: resumed } = await resume(ticket)
  expect(resumed.received).toBe(bytes.length)
  const headers = {
    'content-type': contentType,
    'content-range': `bytes ${bytes.length}-${bytes.length - 1}/${bytes.length}`,
  }
  expect((await fetch(server.url + resumed.url, { method: 'PUT', headers, body: '' })).status).toBe(200)
})

test('RULE-67 many aborted uploads do not lock out their uploader: the oldest expired one is given up', async () => {
  const first = await ticketFor(10)
  const others: UploadTicket[] = []
  for (let count = 1; count < 50; count += 1) others.push(await ticketFor(10))
  const body = { filename: 'a.bin', contentType, size: 10 }
  expect(await ada.call(fileEndpoints.create, { body })).toFailWith('TOO_MANY_REQUESTS')
  await pass(16, first)
  await ticketFor(10)
  expect(await resume(first)).toFailWith('TICKET_NOT_VALID')
  expect(await ada.call(fileEndpoints.create, { body })).toFailWith('TOO_MANY_REQUESTS')
  const [newer, older] = others as [UploadTicket, UploadTicket]
  await pass(16, newer)
  await pass(17, older)
  await ticketFor(10)
  expect(await resume(older)).toFailWith('TICKET_NOT_VALID')
  expect(await resume(newer)).toSucceed()
})

test('RULE-71 an unused file is deleted a day after it was stored, and not after its upload began', async () => {
  const ticket = await ticketFor()
  await pass(23 * 60, ticket)
  const { body: resumed } = await resume(ticket)
  const { body: file } = await put(resumed)
  await pass(120, ticket)
  await server.app.sweepFiles()
  expect(await ada.call(fileEndpoints.read, { params: { fileId: file._id } })).toSucceed()
  await db
    .updateTable('file')
    .set({ stored_at: sql<Date>`now() - interval '25 hours'` })
    .where('id', '=', file._id)
    .execute()
  await server.app.sweepFiles()
  expect(await ada.call(fileEndpoints.read, { params: { fileId: file._id } })).toFailWith('NOT_FOUND')
})

const disk = await smallDisk('size=4m')

test.skipIf(disk === undefined)(
  'RULE-71 a resume on a full disk returns 507 and keeps the bytes',
  async () => {
    const small = await testServer({
      settings: { FILES_FOLDER: join(disk ?? '', 'files'), DISK_RESERVE: '0', FILE_TOTAL: 'off' },
    })
    const person = await small.given.person()
    const body = { filename: 'a.bin', contentType, size: bytes.length }
    const { body: ticket } = await person.call(fileEndpoints.create, { body })
    const portion = await fetch(small.url + ticket.url, {
      method: 'PUT',
      headers: { 'content-type': contentType, 'content-range': `bytes 0-${begun - 1}/${bytes.length}` },
      body: new Uint8Array(bytes.subarray(0, begun)),
    })
    expect(portion.status).toBe(409)
    const { bavail, bsize } = await statfs(disk ?? '')
    const filler = join(disk ?? '', 'filler')
    await writeFile(filler, Buffer.alloc(bavail * bsize - 100_000))
    expect(await resume(ticket, person)).toFailWith('DISK_FULL')
    await writeFile(filler, '')
    const { body: resumed } = await resume(ticket, person)
    expect(resumed.received).toBe(begun)
    expect((await put(resumed, begun, small.url)).status).toBe(200)
  },
)
