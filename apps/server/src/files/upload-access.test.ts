import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdir, stat } from 'node:fs/promises'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { type ErrorCode, fileEndpoints, rootGrantEndpoints, type UploadTicket } from '@pult/contract'
import { type GivenPerson, openS3Server, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'

const server = await testServer({ hasCallLimits: true })
const store = await openS3Server()
const withStore = await testServer({ settings: store.settings })
withStore.watchSecret(store.settings.FILES_S3_SECRET_KEY)

const text = Buffer.alloc(300_000, 'a')
const headers = { 'content-type': 'text/plain' }

let loseProject: () => Promise<void>
let becomeViewer: () => Promise<void>
let asked: UploadTicket
let demir: GivenPerson

async function ticketOf({ given, watchSecret, db }: typeof server): Promise<void> {
  const root = await given.person({ isRoot: true })
  demir = await given.person()
  const grants = [{ person: demir, productRole: 'project/operator' }]
  const { projectId, grantIds } = await given.project(root, { grants })
  const [grantId = ''] = grantIds
  loseProject = async () => {
    expect(await root.call(rootGrantEndpoints.remove, { params: { projectId, grantId } })).toSucceed()
  }
  becomeViewer = async () => {
    await db
      .updateTable('project_grant')
      .set({ product_role: 'project/viewer' })
      .where('id', '=', grantId)
      .execute()
  }
  const body = { filename: 'a.txt', contentType: 'text/plain', size: text.length, project: projectId }
  asked = (await demir.call(fileEndpoints.create, { body })).body
  watchSecret(asked.url.slice(asked.url.lastIndexOf('/') + 1))
}
beforeEach(() => ticketOf(server))

/** Sends the first half of the bytes, awaits `meanwhile`, then sends the second half. */
function putAround(
  meanwhile: () => Promise<void>,
): Promise<{ status: number | undefined; code: ErrorCode | undefined }> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(server.url + asked.url, { method: 'PUT', headers }, (response) => {
      const status = response.statusCode
      json(response).then((body) => resolve({ status, code: (body as { code?: ErrorCode }).code }), reject)
    })
    request.on('error', reject)
    request.write(text.subarray(0, 150_000))
    void delay(150)
      .then(meanwhile)
      .then(() => request.end(text.subarray(150_000)), reject)
  })
}

const storedOf = ({ filename }: UploadTicket, { db }: typeof server) =>
  db.selectFrom('file').select('stored_at').where('filename', '=', filename).executeTakeFirstOrThrow()

test('RULE-67 DEC-14 an upload address into a project expires when its uploader loses the project', async () => {
  await loseProject()
  // A single part: the server checks access before it reads any bytes.
  const portion = { ...headers, 'content-range': `bytes 0-149999/${text.length}` }
  const body = new Uint8Array(text.subarray(0, 150_000))
  const { status } = await fetch(server.url + asked.url, { method: 'PUT', headers: portion, body })
  expect(status).toBe(410)
  expect((await fetch(server.url + asked.url, { method: 'HEAD' })).status).toBe(410)
  expect(await storedOf(asked, server)).toEqual({ stored_at: null })
  const names = await readdir(join(server.dataFolder, 'files'), { recursive: true })
  expect(names.filter((name) => name.endsWith(asked.filename))).toEqual([])
})

test('RULE-67 DEC-14 the server discards an upload whose uploader loses the project during it', async () => {
  expect(await putAround(loseProject)).toEqual({ status: 410, code: 'TICKET_NOT_VALID' })
  expect(await storedOf(asked, server)).toEqual({ stored_at: null })
  const names = await readdir(join(server.dataFolder, 'files'), { recursive: true })
  expect(names.filter((name) => name.endsWith(asked.filename))).toEqual([])
})

test('RULE-67 DEC-14 the server discards an upload whose uploader may only read the project since', async () => {
  expect(await putAround(becomeViewer)).toEqual({ status: 410, code: 'TICKET_NOT_VALID' })
  expect(await storedOf(asked, server)).toEqual({ stored_at: null })
})

test('RULE-67 a slow upload succeeds while its uploader keeps the grant', async () => {
  expect(await putAround(async () => {})).toEqual({ status: 200 })
})

test('RULE-80 an upload answers 503 while the project cannot be read, and its address stays valid', async () => {
  const put = () => fetch(server.url + asked.url, { method: 'PUT', headers, body: new Uint8Array(text) })
  const refused = await server.db.transaction().execute(async (trx) => {
    await sql`lock table project in access exclusive mode`.execute(trx)
    return put()
  })
  expect([refused.status, await refused.json()]).toEqual([
    503,
    expect.objectContaining({ code: 'QUERY_TIMEOUT' }),
  ])
  expect((await put()).status).toBe(200)
})

test('RULE-80 an upload keeps its bytes when the database cannot answer its last check', async () => {
  const holders = () => server.db.selectFrom('upload_ticket').select('held_by').execute()
  const { promise: isAnswered, resolve: unlock } = Promise.withResolvers<void>()
  let locking: Promise<void> | undefined
  const answer = await putAround(async () => {
    await expect.poll(async () => (await holders()).some(({ held_by }) => held_by !== null)).toBe(true)
    await new Promise<void>((locked) => {
      locking = server.db.transaction().execute(async (trx) => {
        await sql`lock table project in access exclusive mode`.execute(trx)
        locked()
        await isAnswered
      })
    })
  })
  unlock()
  await locking
  expect(answer).toEqual({ status: 503, code: 'QUERY_TIMEOUT' })
  const { headers: reported } = await fetch(server.url + asked.url, { method: 'HEAD' })
  expect(reported.get('upload-offset')).toBe(String(text.length))
  const rest = { ...headers, 'content-range': `bytes ${text.length}-${text.length - 1}/${text.length}` }
  expect((await fetch(server.url + asked.url, { method: 'PUT', headers: rest, body: '' })).status).toBe(200)
})

const MiB = 1024 * 1024
const large = randomBytes(28 * MiB)
const contentType = 'application/octet-stream'

/**
 * Begins an upload, and sends most of it while the database answers no statement about tickets, so that renewals fail.
 * `unlock` ends that, `finish` sends the rest.
 */
async function uploadWithoutRenewals() {
  const { db } = server
  const body = { filename: 'a.bin', contentType, size: large.length }
  const { body: ticket } = await demir.call(fileEndpoints.create, { body })
  server.watchSecret(ticket.url.slice(ticket.url.lastIndexOf('/') + 1))
  const request = httpRequest(server.url + ticket.url, {
    method: 'PUT',
    headers: { 'content-type': contentType, 'content-length': large.length },
  })
  const answered = once(request, 'response') as Promise<[IncomingMessage]>
  request.write(large.subarray(0, MiB))
  const part = join(server.dataFolder, 'files/parts', ticket.filename)
  const written = async () => (await stat(part).catch(() => ({ size: 0 }))).size
  await expect.poll(written).toBeGreaterThan(0)
  const { promise: isUnlocked, resolve: unlock } = Promise.withResolvers<void>()
  const { promise: isLocked, resolve: lock } = Promise.withResolvers<void>()
  const locking = db.transaction().execute(async (trx) => {
    await sql`lock table upload_ticket in access exclusive mode`.execute(trx)
    lock()
    await isUnlocked
  })
  await isLocked
  const waiting = async () => {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
      db,
    )
    return rows.length
  }
  request.write(large.subarray(MiB, 10 * MiB))
  await expect.poll(waiting).toBe(1)
  // The transfer does not wait for the renewal.
  request.write(large.subarray(10 * MiB, 27 * MiB))
  await expect.poll(written).toBeGreaterThan(26 * MiB)
  return {
    ticket,
    async unlock() {
      unlock()
      await locking
    },
    async finish() {
      request.end(large.subarray(27 * MiB))
      const [response] = await answered
      return [response.statusCode, ((await json(response)) as { code?: ErrorCode }).code]
    },
    isEachRenewalOver: async () => (await waiting()) === 0,
  }
}

const digestOf = async ({ filename }: UploadTicket) => {
  const file = server.db.selectFrom('file').select('sha256').where('filename', '=', filename)
  return (await file.executeTakeFirst())?.sha256?.toString('hex')
}
const digest = createHash('sha256').update(large).digest('hex')

test('RULE-80 a database that answers no renewal for a while interrupts no upload', async () => {
  const { ticket, unlock, finish, isEachRenewalOver } = await uploadWithoutRenewals()
  await expect.poll(isEachRenewalOver).toBe(true)
  await unlock()
  expect(await finish()).toEqual([200, undefined])
  expect(await digestOf(ticket)).toBe(digest)
})

test('RULE-80 an upload that ends while the database does not answer returns 503 and continues', async () => {
  const { ticket, unlock, finish } = await uploadWithoutRenewals()
  expect(await finish()).toEqual([503, 'QUERY_TIMEOUT'])
  await unlock()
  await server.db.updateTable('upload_ticket').set({ held_until: sql<Date>`now()` }).execute()
  const { body: resumed } = await demir.call(fileEndpoints.resume, { params: { filename: ticket.filename } })
  server.watchSecret(resumed.url.slice(resumed.url.lastIndexOf('/') + 1))
  const rest = {
    'content-type': contentType,
    ...(resumed.received > 0 && {
      'content-range': `bytes ${resumed.received}-${large.length - 1}/${large.length}`,
    }),
  }
  const body = new Uint8Array(large.subarray(resumed.received))
  expect((await fetch(server.url + resumed.url, { method: 'PUT', headers: rest, body })).status).toBe(200)
  expect(await digestOf(ticket)).toBe(digest)
})

test('RULE-72 DEC-14 completing an upload in the store fails after its uploader lost the project', async () => {
  await ticketOf(withStore)
  const put = await fetch(asked.url, { method: 'PUT', headers, body: new Uint8Array(text) })
  expect(put.status).toBe(200)
  await loseProject()
  const answer = await demir.call(fileEndpoints.complete, { params: { filename: asked.filename } })
  expect(answer).toFailWith('TICKET_NOT_VALID')
  expect(await storedOf(asked, withStore)).toEqual({ stored_at: null })
})
