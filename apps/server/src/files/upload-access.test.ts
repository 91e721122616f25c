import { readdir } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
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
let asked: UploadTicket
let demir: GivenPerson

async function ticketOf({ given, watchSecret }: typeof server): Promise<void> {
  const root = await given.person({ isRoot: true })
  demir = await given.person()
  const grants = [{ person: demir, productRole: 'project/viewer' }]
  const { projectId, grantIds } = await given.project(root, { grants })
  const [grantId = ''] = grantIds
  loseProject = async () => {
    expect(await root.call(rootGrantEndpoints.remove, { params: { projectId, grantId } })).toSucceed()
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

test('RULE-72 DEC-14 completing an upload in the store fails after its uploader lost the project', async () => {
  await ticketOf(withStore)
  const put = await fetch(asked.url, { method: 'PUT', headers, body: new Uint8Array(text) })
  expect(put.status).toBe(200)
  await loseProject()
  const answer = await demir.call(fileEndpoints.complete, { params: { filename: asked.filename } })
  expect(answer).toFailWith('TICKET_NOT_VALID')
  expect(await storedOf(asked, withStore)).toEqual({ stored_at: null })
})
