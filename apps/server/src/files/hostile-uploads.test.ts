import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { deflateSync } from 'node:zlib'
import { fileEndpoints } from '@pult/contract'
import { type GivenPerson, inWaves, sized, testServer } from '@pult/testkit'
import fc from 'fast-check'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { sessionOf } from './testing/session-of.ts'

/** The parent of the file folder. No other file may appear in it. */
const surroundings = await mkdtemp(join(tmpdir(), 'pult-hostile-'))
afterAll(() => rm(surroundings, { recursive: true, force: true }))
const folder = join(surroundings, 'a/b/c/files')
const server = await testServer({ settings: { FILES_FOLDER: folder } })
const { given, db } = server
const { files } = server.app

const colour = sharp({ create: { width: 9, height: 9, channels: 3, background: 'teal' } })
const pictures = {
  png: await colour.clone().png().toBuffer(),
  jpeg: await colour.clone().jpeg().toBuffer(),
  gif: await colour.clone().gif().toBuffer(),
  webp: await colour.clone().webp().toBuffer(),
}
const page = Buffer.from('<!doctype html><script>fetch("/api/me")</script>')
const archive = Buffer.concat([Buffer.from('PK\u0005\u0006'), Buffer.alloc(18)])
/** A PNG whose header claims 65,500 pixels in width and height. */
const bomb = Buffer.concat([
  pictures.png.subarray(0, 16),
  Buffer.from([0, 0, 0xff, 0xdc, 0, 0, 0xff, 0xdc]),
  pictures.png.subarray(24),
])
const deflated = deflateSync(Buffer.alloc(2_000_000))

const content = fc.oneof(
  fc.constantFrom(...Object.values(pictures), page, archive, bomb, deflated, Buffer.alloc(0)),
  // Polyglots: one format before another.
  fc
    .tuple(fc.constantFrom(...Object.values(pictures), archive), fc.constantFrom(page, archive, pictures.png))
    .map(([head, tail]) => Buffer.concat([head, tail])),
  // The start of a format, followed by other content.
  fc
    .tuple(
      fc.constantFrom(...Object.values(pictures), archive),
      fc.nat(40),
      fc.uint8Array({ maxLength: 300 }),
    )
    .map(([head, length, rest]) => Buffer.concat([head.subarray(0, length), rest])),
  // One changed byte.
  fc
    .tuple(fc.constantFrom(...Object.values(pictures)), fc.nat(), fc.nat(255))
    .map(([whole, place, value]) => {
      const changed = Buffer.from(whole)
      changed[place % whole.length] = value
      return changed
    }),
  fc.uint8Array({ maxLength: 5000 }).map((bytes) => Buffer.from(bytes)),
)
const type = fc.constantFrom(
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/svg+xml',
  'image/avif',
  'text/html',
  'text/csv',
  'application/pdf',
  'application/zip',
  'application/octet-stream',
  'video/mp4',
  'x/../../y',
  'IMAGE/PNG',
  '',
)
const name = fc.oneof(
  fc.constantFrom(
    '../../../etc/passwd',
    '..\\..\\x',
    '/etc/passwd',
    'a\0.png',
    '\r\nx: y',
    'CON',
    '.',
    '..',
    '',
    'ä'.repeat(255),
  ),
  fc.constantFrom(
    '%2e%2e%2fsecret',
    'file:///etc/passwd',
    '${jndi:ldap://x}',
    "'; drop table file; --",
    '\u202egnp.exe',
  ),
  fc.string({ unit: 'binary', maxLength: 300 }),
)
/** Returns undefined most of the time. */
const rarely = <Value>(weight: number, arbitrary: fc.Arbitrary<Value>) =>
  fc.oneof({ weight, arbitrary: fc.constant(null) }, { weight: 1, arbitrary })

const attack = fc.record({
  name,
  type,
  content,
  /** The announced size minus the size sent. */
  excess: fc.oneof(
    { weight: 4, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.integer({ min: -400, max: 400 }) },
  ),
  /** A content type in the PUT that differs from the announced one. */
  otherType: rarely(6, type),
  range: rarely(
    6,
    fc.oneof(
      fc
        .tuple(fc.nat(6000), fc.nat(6000), fc.nat(6000))
        .map(([first, last, size]) => `bytes ${first}-${last}/${size}`),
      fc.constantFrom('bytes */*', 'bytes 0-0/1', 'bytes -1-5/5', 'bytes 0-9/99999999999999999999', 'x', ''),
    ),
  ),
  transfer: fc.constantFrom<'whole' | 'chunked' | 'broken off' | 'announced wrongly'>(
    'whole',
    'whole',
    'whole',
    'chunked',
    'broken off',
    'announced wrongly',
  ),
  path: rarely(30, fc.constantFrom('..%2f..%2fetc', '../../me', '%00', '.', 'a'.repeat(300))),
  read: fc.constantFrom(
    'bytes=0-',
    'bytes=-1',
    'bytes=5-2',
    'bytes=99999999999999999999-',
    'bytes=0-0,2-3',
    'bytes=1-1',
    '',
  ),
})
type Attack = typeof attack extends fc.Arbitrary<infer Value> ? Value : never

/** Sends a PUT in one of all possible ways. Returns 0 if the client ended the connection without an answer. */
function put(
  url: URL,
  { content: bytes, transfer }: Attack,
  headers: Record<string, string>,
): Promise<number> {
  const length =
    transfer === 'chunked'
      ? {}
      : { 'content-length': String(bytes.length + (transfer === 'announced wrongly' ? 7 : 0)) }
  return new Promise((resolve) => {
    const request = httpRequest(
      url,
      { method: 'PUT', headers: { ...headers, ...length }, agent: false },
      (response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
      },
    )
    request.on('error', () => resolve(0))
    if (transfer === 'broken off' || transfer === 'announced wrongly') {
      request.write(bytes.subarray(0, transfer === 'broken off' ? bytes.length >> 1 : bytes.length))
      setTimeout(() => request.destroy(), 20)
    } else request.end(bytes)
  })
}

async function tree(place: string): Promise<string[]> {
  const entries = await readdir(place, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name: file }) => join(parentPath, file))
}

/** 500 uploads per part. */
test.each(sized([1], [1, 2, 3, 4]))(
  'RULE-67 RULE-68 RULE-69 RULE-71 hostile uploads cause no fault and leave no partial or misplaced file, part %d',
  {
    timeout: 90_000,
    tags: ['long'],
  },
  async (seed) => {
    const people: GivenPerson[] = []
    for (let count = 0; count < 16; count += 1) people.push(await given.person())
    const attacks = fc.sample(attack, { numRuns: 500, seed })
    const seen = new Map<number, number>()
    const stored: string[] = []
    const see = (status: number) => seen.set(status, (seen.get(status) ?? 0) + 1)

    async function make(one: Attack, person: GivenPerson): Promise<void> {
      const size = Math.max(0, one.content.length + one.excess)
      const asked = await person.call(fileEndpoints.create, {
        body: { filename: one.name, contentType: one.type, size },
      })
      see(asked.status)
      const address = asked.status === 200 ? asked.body.url : '/api/uploads/none'
      const url = new URL(one.path === null ? address : `/api/uploads/${one.path}`, server.url)
      const status = await put(url, one, {
        'content-type': one.otherType ?? one.type,
        ...(one.range !== null && { 'content-range': one.range }),
      })
      see(status)
      if (status !== 200) return
      const { filename } = asked.body
      const done = await person.call(fileEndpoints.complete, { params: { filename } })
      expect(done.status).toBe(200)
      stored.push(done.body._id)
      const file = await files.find(done.body._id)
      if (file === undefined) throw new Error('the server returned a file that does not exist')
      expect(await buffer(await files.open(file.id))).toEqual(one.content)
      const link = files.link(await sessionOf(db, person), file, { lifetime: 60_000, inline: true })
      const read = await fetch(server.url + link, one.read === '' ? {} : { headers: { range: one.read } })
      see(read.status)
      await read.arrayBuffer()
      const isShown = /^(?:image\/(?:png|jpeg|gif|webp|avif)|video\/mp4)$/.test(file.contentType)
      expect([isShown, read.headers.get('content-disposition')?.split(';')[0]]).toEqual([
        isShown,
        read.status === 416 ? undefined : isShown ? 'inline' : 'attachment',
      ])
    }

    for (let start = 0; start < attacks.length; start += 250) {
      const wave = attacks.slice(start, start + 250)
      await inWaves(wave.length, (index) =>
        make(wave[index] as Attack, people[index % people.length] as GivenPerson),
      )
      await db.updateTable('upload_ticket').set({ expires_at: sql<Date>`now()` }).execute()
    }

    const summary = JSON.stringify([...seen].toSorted(([a], [b]) => a - b))
    const faults = [...seen].filter(([status]) => status >= 500 && status !== 507)
    expect(faults, summary).toEqual([])
    // The refusals have different reasons, and some uploads succeed.
    for (const status of [200, 206, 400, 409, 410, 413, 415])
      expect(seen.get(status) ?? 0, summary).toBeGreaterThan(0)
    expect(stored.length, summary).toBeGreaterThan(10)

    await db.updateTable('upload_ticket').set({ held_until: null }).execute()
    // Unfinished uploads keep their bytes for a day.
    await sql`update file set created_at = now() - interval '25 hours' where stored_at is null`.execute(db)
    await server.app.sweepFiles()
    const rows = await db
      .selectFrom('file')
      .select(['filename', 'size'])
      .where('stored_at', 'is not', null)
      .execute()
    // The server writes the id of the store when it checks the folder.
    const there = (await tree(surroundings)).filter((path) => path !== join(folder, 'store-id'))
    expect(there.toSorted()).toEqual(
      rows.map(({ filename: own }) => join(folder, 'kept', own.slice(0, 2), own)).toSorted(),
    )
    expect(server.logLines.filter((line) => line.includes('a call failed'))).toEqual([])
  },
)
