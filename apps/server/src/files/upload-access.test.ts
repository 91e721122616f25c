import { readdir } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { type ErrorCode, fileEndpoints, rootGrantEndpoints, type UploadTicket } from '@pult/contract'
import { type GivenPerson, openS3Server, testServer } from '@pult/testkit'
import { beforeEach, expect, test } from 'vitest'

const server = await testServer()
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

/** Sends one half, waits for what is done meanwhile, and sends the other one. */
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

test('RULE-67 DEC-14 an address into a project ends for whoever loses the project', async () => {
  await loseProject()
  // One portion alone: whether it may come is asked before any of it is read.
  const portion = { ...headers, 'content-range': `bytes 0-149999/${text.length}` }
  const body = new Uint8Array(text.subarray(0, 150_000))
  const { status } = await fetch(server.url + asked.url, { method: 'PUT', headers: portion, body })
  expect(status).toBe(410)
  expect((await fetch(server.url + asked.url, { method: 'HEAD' })).status).toBe(410)
  expect(await storedOf(asked, server)).toEqual({ stored_at: null })
  const names = await readdir(join(server.dataFolder, 'files'), { recursive: true })
  expect(names.filter((name) => name.endsWith(asked.filename))).toEqual([])
})

test('RULE-67 DEC-14 what is on its way when somebody loses the project is not kept', async () => {
  expect(await putAround(loseProject)).toEqual({ status: 410, code: 'TICKET_NOT_VALID' })
  expect(await storedOf(asked, server)).toEqual({ stored_at: null })
  const names = await readdir(join(server.dataFolder, 'files'), { recursive: true })
  expect(names.filter((name) => name.endsWith(asked.filename))).toEqual([])
})

test('RULE-67 while the grant is held a slow upload is taken', async () => {
  expect(await putAround(async () => {})).toEqual({ status: 200 })
})

test('RULE-72 DEC-14 what was put to the store is no file for whoever lost the project since', async () => {
  await ticketOf(withStore)
  const put = await fetch(asked.url, { method: 'PUT', headers, body: new Uint8Array(text) })
  expect(put.status).toBe(200)
  await loseProject()
  const answer = await demir.call(fileEndpoints.complete, { params: { filename: asked.filename } })
  expect(answer).toFailWith('TICKET_NOT_VALID')
  expect(await storedOf(asked, withStore)).toEqual({ stored_at: null })
})
