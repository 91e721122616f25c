import { createHash, randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { fileEndpoints, type ResumedUpload, type UploadTicket } from '@pult/contract'
import { type GivenPerson, openS3Server, sized, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { beforeEach, expect, onTestFinished, test } from 'vitest'

const store = await openS3Server()
const server = await testServer({ settings: store.settings })
server.watchSecret(store.settings.FILES_S3_SECRET_KEY)
const { db, given } = server

const MiB = 1024 * 1024
const partBytes = 8 * MiB
const contentType = 'application/octet-stream'
const whole = randomBytes(18 * MiB)

let ada: GivenPerson
beforeEach(async () => {
  ada = await given.person()
})

async function ticketFor(size = whole.length): Promise<UploadTicket> {
  const answer = await ada.call(fileEndpoints.create, { body: { filename: 'a.bin', contentType, size } })
  expect(answer).toSucceed()
  return answer.body
}

const resume = ({ filename }: { filename: string }, by = ada) =>
  by.call(fileEndpoints.resume, { params: { filename } })
const complete = ({ filename }: { filename: string }) =>
  ada.call(fileEndpoints.complete, { params: { filename } })

const put = async (url: string, body: Buffer, headers: Record<string, string> = {}) =>
  (await fetch(url, { method: 'PUT', body: new Uint8Array(body), headers })).status

/** Sends the given parts of a file. Returns the statuses. */
async function send({ parts }: ResumedUpload, content = whole): Promise<number[]> {
  const statuses: number[] = []
  for (const { url, first, end } of parts) statuses.push(await put(url, content.subarray(first, end)))
  return statuses
}

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

const unfinishedOf = ({ filename }: { filename: string }) =>
  [...store.unfinished.values()].filter(({ at }) => at === `uploads/${filename}`)

test('FILE-01 RULE-72 a large file is uploaded to the store in parts, and continues hours later with the missing ones', async () => {
  store.limitPages(1)
  onTestFinished(() => store.limitPages(1000))
  const ticket = await ticketFor()
  expect(ticket).toMatchObject({ partBytes, isResumable: false })
  const first = await resume(ticket)
  expect(first).toSucceed()
  expect(first.body).toMatchObject({ partBytes, received: 0, isResumable: false })
  expect(first.body.parts.map((part) => [part.first, part.end])).toEqual([
    [0, 8 * MiB],
    [8 * MiB, 16 * MiB],
    [16 * MiB, 18 * MiB],
  ])
  const [one, two, three] = first.body.parts
  if (one === undefined || two === undefined || three === undefined) throw new Error('no parts')
  const signed = new URL(one.url).searchParams
  expect(signed.get('X-Amz-SignedHeaders')).toBe('content-length;host')
  expect(Number(signed.get('X-Amz-Expires'))).toBeGreaterThan(890)
  expect(Number(signed.get('X-Amz-Expires'))).toBeLessThanOrEqual(900)
  // An address is for one part of one length.
  expect(await put(one.url, whole.subarray(0, 5 * MiB))).toBe(403)
  expect(await put(one.url.replace('partNumber=1', 'partNumber=9'), whole.subarray(0, partBytes))).toBe(403)

  expect(await put(three.url, whole.subarray(three.first, three.end))).toBe(200)
  expect(await put(one.url, whole.subarray(one.first, one.end))).toBe(200)
  expect(await complete(ticket)).toFailWith('UPLOAD_INCOMPLETE')
  for (let times = 0; times < 8; times += 1) {
    await pass(2 * 60, ticket)
    await server.app.sweepFiles()
    const { body } = await resume(ticket)
    expect(body).toMatchObject({ received: 10 * MiB, parts: [{ first: two.first, end: two.end }] })
  }
  const { body: last } = await resume(ticket)
  expect(await send(last)).toEqual([200])
  expect((await resume(ticket)).body).toMatchObject({ received: whole.length, parts: [] })
  const { body: file } = await complete(ticket)
  expect(await buffer(await server.app.files.open(file._id))).toEqual(whole)
  expect([...store.objects.keys()].filter((key) => key.endsWith(ticket.filename))).toEqual([
    `kept/${ticket.filename}`,
  ])
  expect(unfinishedOf(ticket)).toEqual([])
  expect(await resume(ticket)).toFailWith('NOT_FOUND')
})

test('FILE-01 RULE-71 a resume returns as many further parts as have arrived, 4 to 16, and their bytes count as used', async () => {
  const ticket = await ticketFor(400 * MiB)
  const used = async () => {
    const { rows } = await sql<{ bytes: number }>`
      select coalesce(sum(bytes), 0)::bigint as bytes from used_space where place = ${`person ${ada.personId}`}`.execute(
      db,
    )
    return (rows[0]?.bytes ?? 0) / partBytes
  }
  expect(await used()).toBe(50)
  const { body } = await resume(ticket)
  expect([body.parts.length, await used()]).toEqual([4, 4])
  const [upload] = unfinishedOf(ticket)
  const part = Buffer.alloc(partBytes)
  const add = (from: number, to: number) => {
    for (let number = from; number <= to; number += 1) upload?.parts.set(number, part)
  }
  add(1, 6)
  expect([(await resume(ticket)).body.parts.length, await used()]).toEqual([6, 12])
  add(7, 20)
  expect([(await resume(ticket)).body.parts.length, await used()]).toEqual([16, 36])
})

test('RULE-71 an address of the store reserves the bytes that it accepts, and no others', async () => {
  const small = await testServer({ settings: { ...store.settings, FILE_QUOTA: String(40 * MiB) } })
  small.watchSecret(store.settings.FILES_S3_SECRET_KEY)
  onTestFinished(() => store.lackParts(false))
  const [owner, other] = [await small.given.person(), await small.given.person()]
  const { projectId: project } = await small.given.project(owner, {
    grants: [{ person: other, productRole: 'project/operator' }],
  })
  const ask = (size: number, by = other) =>
    by.call(fileEndpoints.create, { body: { filename: 'a.bin', contentType, size, project } })
  // The address of a ticket accepts the whole file, until parts are requested. Several uploads use at most half.
  const large = await ask(30 * MiB)
  expect(large).toSucceed()
  expect(await ask(30 * MiB, owner)).toFailWith('PROJECT_FULL')
  expect((await resume(large.body, other)).body).toMatchObject({ url: '', partBytes })
  const last = await ask(4 * MiB, owner)
  expect(last).toSucceed()
  store.lackParts(true)
  // Without parts, the address accepts the whole file again.
  expect((await resume(last.body, owner)).body).toMatchObject({ partBytes: null, parts: [] })
  expect(await ask(8 * MiB, owner)).toFailWith('PROJECT_FULL')
})

test('RULE-71 a completion counts the whole file, also if an earlier address accepted more than the parts', async () => {
  const small = await testServer({ settings: { ...store.settings, FILE_QUOTA: String(40 * MiB) } })
  small.watchSecret(store.settings.FILES_S3_SECRET_KEY)
  onTestFinished(() => {
    store.lackParts(false)
    store.disturb(() => undefined)
  })
  const owner = await small.given.person()
  const ask = async (size: number) =>
    (await owner.call(fileEndpoints.create, { body: { filename: 'a.bin', contentType, size } })).body
  const params = { filename: (await ask(40 * MiB)).filename }
  store.lackParts(true)
  const { body: inOne } = await owner.call(fileEndpoints.resume, { params })
  store.lackParts(false)
  expect((await owner.call(fileEndpoints.resume, { params })).body.parts).toHaveLength(4)
  expect(await put(inOne.url, Buffer.alloc(40 * MiB), inOne.headers)).toBe(200)
  store.disturb(async (operation) => {
    if (operation !== 'HeadObject') return undefined
    store.disturb(() => undefined)
    await ask(8 * MiB)
    return undefined
  })
  expect(await owner.call(fileEndpoints.complete, { params })).toFailWith('PROJECT_FULL')
})

test('RULE-72 a completion can be repeated after any failure of the store', async () => {
  const ticket = await ticketFor()
  await send((await resume(ticket)).body)
  for (const failed of ['ListParts', 'CompleteMultipartUpload', 'HeadObject', 'CopyObject']) {
    for (const how of ['unavailable', 'reply lost'] as const) {
      store.disturb((operation) => (operation === failed ? how : undefined))
      const answer = await complete(ticket)
      // The SDK repeats a join, which then succeeds.
      expect([undefined, 'BUSY']).toContain(answer.code)
    }
  }
  store.disturb(() => undefined)
  const { body: file } = await complete(ticket)
  expect(await buffer(await server.app.files.open(file._id))).toEqual(whole)
})

test('RULE-72 a part that is replaced while the parts are joined returns UPLOAD_INCOMPLETE, and a repeat completes them', async () => {
  const ticket = await ticketFor()
  const { body: resumed } = await resume(ticket)
  await send(resumed)
  const [first] = resumed.parts
  const other = Buffer.concat([Buffer.alloc(8 * MiB), whole.subarray(8 * MiB)])
  store.disturb(async (operation) => {
    if (operation !== 'CompleteMultipartUpload' || first === undefined) return undefined
    store.disturb(() => undefined)
    await put(first.url, other.subarray(0, first.end))
    return undefined
  })
  expect(await complete(ticket)).toFailWith('UPLOAD_INCOMPLETE')
  const { body: file } = await complete(ticket)
  expect(await buffer(await server.app.files.open(file._id))).toEqual(other)
})

test('FILE-01 a resume reports parts that were joined, and starts again after the store deleted them', async () => {
  const ticket = await ticketFor()
  await send((await resume(ticket)).body)
  store.disturb((operation) => (operation === 'CopyObject' ? 'unavailable' : undefined))
  expect(await complete(ticket)).toFailWith('BUSY')
  store.disturb(() => undefined)
  expect((await resume(ticket)).body).toMatchObject({ received: whole.length, parts: [] })
  expect(await complete(ticket)).toSucceed()

  const deleted = await ticketFor()
  await send((await resume(deleted)).body)
  store.unfinished.clear()
  expect(await complete(deleted)).toFailWith('UPLOAD_INCOMPLETE')
  const again = await resume(deleted)
  expect(again.body).toMatchObject({ received: 0, parts: [{ first: 0 }, {}, {}] })
  await send(again.body)
  expect(await complete(deleted)).toSucceed()
})

test('FILE-01 concurrent first resumes share one upload in parts', async () => {
  const ticket = await ticketFor()
  const answers = await Promise.all(Array.from({ length: 6 }, () => resume(ticket)))
  for (const answer of answers) expect(answer).toSucceed()
  expect(unfinishedOf(ticket)).toHaveLength(1)
  const { body } = answers[3] as (typeof answers)[number]
  expect(await send(body)).toEqual([200, 200, 200])
  expect(await complete(ticket)).toSucceed()
})

test('FILE-01 RULE-72 a small file, and any file in a store without parts, gets a fresh address for one PUT', async () => {
  const small = await ticketFor(1000)
  expect(small.partBytes).toBeNull()
  const { body } = await resume(small)
  expect(body).toMatchObject({ partBytes: null, received: 0, parts: [] })
  expect(await put(body.url, whole.subarray(0, 1000), body.headers)).toBe(200)
  // The store receives a slow body for longer than its address is valid.
  await pass(16, small)
  expect(await complete(small)).toSucceed()

  onTestFinished(() => {
    store.lackParts(false)
    store.forbid()
  })
  for (const lack of [() => store.lackParts(true), () => store.forbid('ListMultipartUploadParts')]) {
    store.lackParts(false)
    const ticket = await ticketFor()
    lack()
    const { body: inOne } = await resume(ticket)
    expect(inOne).toMatchObject({ partBytes: null, received: 0, parts: [] })
    expect(await put(inOne.url, whole, inOne.headers)).toBe(200)
    expect(await complete(ticket)).toSucceed()
    expect(unfinishedOf(ticket)).toEqual([])
  }
})

test('RULE-71 parts of refused, given up and day-old uploads are deleted, and those of resumable ones are not', async () => {
  const page = Buffer.concat([
    Buffer.from('<!doctype html><script>alert(1)</script>'),
    whole.subarray(0, 9 * MiB),
  ])
  const body = { filename: 'a.png', contentType: 'image/png', size: page.length }
  const { body: lie } = await ada.call(fileEndpoints.create, { body })
  await send((await resume(lie)).body, page)
  expect(await complete(lie)).toFailWith('CONTENT_MISMATCH')
  expect(await complete(lie)).toFailWith('NOT_FOUND')

  const old = await ticketFor()
  await send((await resume(old)).body)
  const slow = await ticketFor()
  await send((await resume(slow)).body)
  const dayAgo = new Date(Date.now() - 25 * 3_600_000)
  for (const upload of store.unfinished.values()) upload.begunAt = dayAgo
  const orphan = { at: `uploads/${'3'.repeat(32)}`, type: contentType, parts: new Map(), begunAt: dayAgo }
  store.unfinished.set('orphan', orphan)
  store.unfinished.set('young', { ...orphan, begunAt: new Date() })
  await pass(24 * 60, old)
  await server.app.sweepFiles()
  expect(unfinishedOf(old)).toEqual([])
  expect(unfinishedOf(slow)).toHaveLength(1)
  expect([store.unfinished.has('orphan'), store.unfinished.has('young')]).toEqual([false, false])
  expect([...store.objects.keys()].some((key) => key.endsWith(lie.filename))).toBe(false)
  expect(await complete(slow)).toSucceed()
})

/** Returns pseudo-random numbers from 0 to 1: a linear congruential generator. */
function numbersFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

test('FILE-01 RULE-72 random interruptions of an upload to the store lose nothing and repeat at most one part each', {
  tags: ['long'],
}, async () => {
  const faultsMost = sized(12, 50)
  const size = sized(50 * MiB, 180 * MiB) + 12_345
  const content = randomBytes(size)
  const next = numbersFrom(20_261_128)
  const ticket = await ticketFor(size)
  let faults = 0
  let sent = 0
  store.disturb((operation) => {
    if (operation === 'HeadObject' || faults >= faultsMost || next() < 0.5) return undefined
    faults += 1
    return (['unavailable', 'cut', 'reply lost'] as const)[Math.floor(next() * 3)]
  })
  onTestFinished(() => store.disturb(() => undefined))

  /** Sends one part. A client that disconnects has sent the start of it. */
  async function sendPart(url: string, part: Buffer): Promise<boolean> {
    if (faults < faultsMost && next() < 0.3) {
      faults += 1
      const start = Math.floor(next() * part.length)
      sent += start
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(new Uint8Array(part.subarray(0, start)))
          controller.error(new Error('the network is gone'))
        },
      })
      const init: RequestInit & { duplex: 'half' } = { method: 'PUT', body, duplex: 'half' }
      await fetch(url, init).catch(() => {})
      return false
    }
    sent += part.length
    return put(url, part).then(
      (status) => status === 200,
      () => false,
    )
  }

  for (let done = false; !done; ) {
    const { status, body } = await resume(ticket)
    if (status !== 200) continue
    let isSent = true
    for (const { url, first, end } of body.parts) {
      isSent = await sendPart(url, content.subarray(first, end))
      if (!isSent) break
    }
    if (isSent) done = (await complete(ticket)).status === 200
  }
  expect(faults).toBe(faultsMost)
  expect(sent).toBeLessThanOrEqual(size + faults * partBytes)
  const { body: file } = await complete(ticket)
  const stored = await buffer(await server.app.files.open(file._id))
  const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
  expect(digest(stored)).toBe(digest(content))
})
