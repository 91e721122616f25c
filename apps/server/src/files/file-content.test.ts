import { mkdir, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { fileEndpoints } from '@pult/contract'
import { testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import type { FileRecord } from './file-store.ts'
import { sessionOf } from './testing/session-of.ts'

const server = await testServer()
const second = await testServer({ besides: server })
const { given, db } = server
const { files } = server.app

const ada = await given.person()
const { projectId } = await given.project(ada)
const folder = join(server.dataFolder, 'files')
const text = '0123456789'

type Kept = Parameters<typeof files.keep>[0]
const keep = (file: Partial<Kept> = {}, content = text): Promise<FileRecord> =>
  files.keep(
    {
      projectId,
      personId: ada.personId,
      readers: 'project',
      name: 'plan.txt',
      contentType: 'text/plain',
      lifetime: 3_600_000,
      ...file,
    },
    Readable.from([Buffer.from(content)]),
  )

const session = await sessionOf(db, ada)
const linkTo = (
  file: Pick<FileRecord, 'id' | 'contentType'>,
  options: { lifetime: number; inline: boolean },
) => files.link(session, file, options)

const get = (url: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(server.url + url, { method, headers })

const hour = 3_600_000

/** Returns all files in the file folder. */
async function filesOnDisk(): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}

const filenameOf = async ({ id }: FileRecord) =>
  (await db.selectFrom('file').select('filename').where('id', '=', id).executeTakeFirstOrThrow()).filename

test('RULE-70 every file is an attachment that runs no script', async () => {
  for (const [contentType, name] of [
    ['text/html', 'page.html'],
    ['image/svg+xml', 'logo.svg'],
    ['application/pdf', 'plan.pdf'],
    ['text/plain', 'plan.txt'],
  ] as const) {
    const file = await keep({ contentType, name })
    for (const inline of [true, false]) {
      const answer = await get(linkTo(file, { lifetime: hour, inline }))
      expect([answer.status, await answer.text()]).toEqual([200, text])
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': contentType,
        'content-disposition': `attachment; filename="${name}"; filename*=UTF-8''${name}`,
        'content-security-policy': "sandbox; default-src 'none'",
        'cross-origin-resource-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
        'content-length': '10',
      })
      expect(answer.headers.get('cache-control')).toBe('private, no-cache')
    }
  }
  const picture = await keep({ contentType: 'image/png', name: 'a.png' })
  const dispositionOf = async (inline: boolean) =>
    (await get(linkTo(picture, { lifetime: hour, inline }))).headers.get('content-disposition')?.split(';')[0]
  expect([await dispositionOf(true), await dispositionOf(false)]).toEqual(['inline', 'attachment'])
})

test.each([-25, 25])(
  'DEC-49 RULE-80 a node whose clock is %i hours off issues links that work and expire in time',
  async (hours) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + hours * hour })
    try {
      const file = await keep({ contentType: 'image/png' })
      const asked = await ada.call(fileEndpoints.link, { params: { fileId: file.id } })
      const answer = await get(asked.body.url)
      expect(answer.status).toBe(200)
      const { rows } = await sql<{ now: number }>`select extract(epoch from now())::float8 as now`.execute(db)
      const until = Number(new URL(asked.body.url, server.url).searchParams.get('until'))
      const lifetime = until - (rows[0]?.now ?? 0)
      expect(lifetime).toBeGreaterThan(590)
      expect(lifetime).toBeLessThan(910)
    } finally {
      vi.useRealTimers()
    }
  },
)

test('DEC-49 RULE-70 RULE-34 a link serves one file in one way, lives for at least 10 minutes and is not a token', async () => {
  const [file, other] = [await keep({ contentType: 'image/png' }), await keep({ contentType: 'image/png' })]
  const link = linkTo(file, { lifetime: hour, inline: false })
  expect(link).toBe(linkTo(file, { lifetime: hour, inline: false }))
  expect(link).not.toContain(ada.token)
  const url = new URL(link, server.url)
  const until = Number(url.searchParams.get('until'))
  expect(until * 1000 - Date.now()).toBeGreaterThan(hour - 2000)
  expect(until * 1000 - Date.now()).toBeLessThanOrEqual(hour * 1.5 + 1000)

  const statusWith = async (change: (altered: URL) => void) => {
    const altered = new URL(url)
    change(altered)
    return (await fetch(altered)).status
  }
  expect(await statusWith(() => {})).toBe(200)
  expect((await fetch(new URL(link, second.url))).status).toBe(200)
  expect(await statusWith(({ searchParams }) => searchParams.set('inline', '1'))).toBe(404)
  expect(await statusWith(({ searchParams }) => searchParams.set('until', String(until + 1)))).toBe(404)
  expect(await statusWith(({ searchParams }) => searchParams.delete('signature'))).toBe(404)
  const { sessionId } = await sessionOf(db, await given.person())
  expect(await statusWith(({ searchParams }) => searchParams.set('session', sessionId))).toBe(404)
  expect(await statusWith(({ searchParams }) => searchParams.set('session', 'none'))).toBe(404)
  expect(
    await statusWith((altered) => (altered.pathname = altered.pathname.replace(file.id, other.id))),
  ).toBe(404)
  expect(
    await statusWith((altered) => (altered.pathname = altered.pathname.replace(file.id, '..%2f..'))),
  ).toBe(404)

  const expired = linkTo(file, { lifetime: -hour, inline: false })
  expect((await get(expired)).status).toBe(404)

  const asked = await ada.call(fileEndpoints.link, { params: { fileId: file.id } })
  const lifetime = Date.parse(asked.body.expiresAt) - Date.now()
  expect(lifetime).toBeGreaterThan(10 * 60_000 - 2000)
  expect(lifetime).toBeLessThanOrEqual(16 * 60_000)
  expect((await get(asked.body.url)).headers.get('content-disposition')).toMatch(/^attachment/)
})

test.each([
  ['bytes=0-3', 206, '0123', 'bytes 0-3/10'],
  ['bytes=7-', 206, '789', 'bytes 7-9/10'],
  ['bytes=-2', 206, '89', 'bytes 8-9/10'],
  ['bytes=-99', 206, text, 'bytes 0-9/10'],
  ['bytes=5-99', 206, '56789', 'bytes 5-9/10'],
  ['bytes=10-', 416, '', 'bytes */10'],
  ['bytes=-0', 416, '', 'bytes */10'],
  ['bytes=0-1,4-5', 200, text, null],
  ['bytes=4-2', 200, text, null],
  ['bytes=-', 200, text, null],
  ['lines=0-3', 200, text, null],
])('RULE-70 the range %s returns %d', async (range, status, body, contentRange) => {
  const link = linkTo(await keep(), { lifetime: hour, inline: false })
  const answer = await get(link, { range })
  expect([answer.status, await answer.text(), answer.headers.get('content-range')]).toEqual([
    status,
    body,
    contentRange,
  ])
  const head = await get(link, { range }, 'HEAD')
  expect([head.status, await head.text(), head.headers.get('content-length')]).toEqual([
    status,
    '',
    status === 416 ? head.headers.get('content-length') : String(body.length),
  ])
})

test('a client with the current version gets 304, and a range of another version gets the whole file', async () => {
  const link = linkTo(await keep(), { lifetime: hour, inline: false })
  const etag = (await get(link)).headers.get('etag') ?? ''
  expect(etag).toMatch(/^"[^"]+"$/)
  const status = async (headers: Record<string, string>) => (await get(link, headers)).status
  expect(await status({ 'if-none-match': etag })).toBe(304)
  expect(await status({ 'if-none-match': `"x", W/${etag}` })).toBe(304)
  expect(await status({ 'if-none-match': '"x"' })).toBe(200)
  expect(await status({ range: 'bytes=0-1', 'if-range': etag })).toBe(206)
  expect(await status({ range: 'bytes=0-1', 'if-range': '"x"' })).toBe(200)
  expect((await get(linkTo(await keep({}, ''), { lifetime: hour, inline: false }))).status).toBe(200)
})

test('RULE-70 a personal file is readable only by that person and root', async () => {
  const [viewer, root] = [await given.person(), await given.person({ isRoot: true })]
  const shared = await given.project(ada, { grants: [{ person: viewer, productRole: 'project/viewer' }] })
  const statuses = async (readers: 'project' | 'person') => {
    const { id: fileId } = await keep({ projectId: shared.projectId, readers })
    const people = [ada, viewer, root]
    const asked = people.map((person) => person.call(fileEndpoints.link, { params: { fileId } }))
    return (await Promise.all(asked)).map(({ status }) => status)
  }
  expect(await statuses('person')).toEqual([200, 404, 200])
  expect(await statuses('project')).toEqual([200, 200, 200])
})

test('RULE-52 RULE-70 a link ends with the next request after its holder loses the right, the account or the session', async () => {
  const [viewer, other, root] = [
    await given.person(),
    await given.person(),
    await given.person({ isRoot: true }),
  ]
  const shared = await given.project(ada, { grants: [{ person: viewer, productRole: 'project/viewer' }] })
  const { id: fileId } = await keep({ projectId: shared.projectId, contentType: 'image/png' })
  const own = await keep({ projectId: null, personId: viewer.personId, readers: 'person' })
  const linksOf = async (person: typeof viewer) => {
    const holder = await sessionOf(db, person)
    return [
      (await person.call(fileEndpoints.link, { params: { fileId } })).body.url,
      files.link(holder, { id: fileId, contentType: 'image/png' }, { lifetime: hour, inline: true }),
      files.link(holder, own, { lifetime: hour, inline: false }),
    ]
  }
  const statusesOf = (urls: readonly string[], headers = {}) =>
    Promise.all(urls.map(async (url) => (await get(url, headers)).status))
  const ofViewer = await linksOf(viewer)
  expect(await statusesOf(ofViewer)).toEqual([200, 200, 200])

  await db.deleteFrom('project_grant').where('id', 'in', shared.grantIds).execute()
  expect(await statusesOf(ofViewer)).toEqual([404, 404, 200])
  expect(await statusesOf(ofViewer.slice(0, 2), { 'if-none-match': `"${fileId}"` })).toEqual([404, 404])
  // A link of a user without the right never worked.
  const link = files.link(
    await sessionOf(db, other),
    { id: fileId, contentType: 'image/png' },
    { lifetime: hour, inline: true },
  )
  expect(await statusesOf([link])).toEqual([404])

  const ofRoot = await linksOf(root)
  expect(await statusesOf(ofRoot)).toEqual([200, 200, 200])
  const setRoot = (isRoot: boolean) =>
    db.updateTable('person').set({ is_root: isRoot }).where('id', '=', root.personId).execute()
  await setRoot(false)
  expect(await statusesOf(ofRoot)).toEqual([404, 404, 404])
  await setRoot(true)
  const disable = (at: Date | null) =>
    db.updateTable('person').set({ disabled_at: at }).where('id', '=', root.personId).execute()
  await disable(new Date())
  expect(await statusesOf(ofRoot)).toEqual([404, 404, 404])
  await disable(null)
  expect(await statusesOf(ofRoot)).toEqual([200, 200, 200])
  await db
    .updateTable('session')
    .set({ ended_at: new Date() })
    .where('person_id', '=', root.personId)
    .execute()
  expect(await statusesOf(ofRoot)).toEqual([404, 404, 404])
})

test('RULE-71 a file of the server is stored completely or not at all, and its part is deleted on abort', async () => {
  const before = await filesOnDisk()
  async function* broken() {
    yield Buffer.alloc(100_000)
    throw new Error('it broke')
  }
  const input: Kept = {
    projectId,
    personId: null,
    readers: 'project',
    name: 'a',
    contentType: 'text/plain',
    lifetime: 3_600_000,
  }
  await expect(files.keep(input, Readable.from(broken()))).rejects.toThrow('it broke')

  const controller = new AbortController()
  async function* endless() {
    for (;;) {
      yield Buffer.alloc(100_000)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
  const endlessly = files.keep(input, Readable.from(endless()), controller.signal)
  setTimeout(() => controller.abort(new Error('given up')), 100)
  await expect(endlessly).rejects.toThrow('given up')
  expect(await filesOnDisk()).toEqual(before)

  const file = await keep()
  expect((await filesOnDisk()).length).toBe(before.length + 1)
  const link = linkTo(file, { lifetime: hour, inline: false })
  await db
    .transaction()
    .execute(async (trx) => {
      await files.release(trx, [file.id])
      throw new Error('rolled back')
    })
    .catch(() => {})
  expect((await get(link)).status).toBe(200)
  await db.transaction().execute((trx) => files.release(trx, [file.id]))
  expect((await get(link)).status).toBe(404)
  expect(await files.find(file.id)).toBeUndefined()
  await expect(files.open(file.id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect.poll(filesOnDisk).toEqual(before)
})

test('RULE-71 an upload can be claimed once, for its project and person, after all bytes have arrived', async () => {
  const bob = await given.person()
  const ask = async () => {
    const body = { filename: 'list.csv', contentType: 'text/csv', size: 3, project: projectId }
    const { body: ticket } = await ada.call(fileEndpoints.create, { body })
    const put = () =>
      fetch(server.url + ticket.url, { method: 'PUT', headers: { 'content-type': 'text/csv' }, body: 'a;b' })
    return { filename: ticket.filename, put }
  }
  const claim = (upload: { filename: string; projectId: string | null; personId: string | null }) =>
    db.transaction().execute((trx) => files.claim(trx, upload))
  const upload = await ask()
  const own = { filename: upload.filename, projectId, personId: ada.personId }
  const refused = { code: 'UPLOAD_INCOMPLETE' }
  await expect(claim(own)).rejects.toMatchObject(refused)
  expect((await upload.put()).status).toBe(200)
  const { projectId: elsewhere } = await given.project(ada)
  await expect(claim({ ...own, projectId: elsewhere })).rejects.toMatchObject(refused)
  await expect(claim({ ...own, projectId: null })).rejects.toMatchObject(refused)
  await expect(claim({ ...own, personId: bob.personId })).rejects.toMatchObject(refused)
  const taken = await claim(own)
  expect(taken).toMatchObject({ name: 'list.csv', size: 3, projectId, personId: ada.personId })
  await expect(claim(own)).rejects.toMatchObject(refused)
  expect((await ada.call(fileEndpoints.remove, { params: { fileId: taken.id } })).code).toBe('FORBIDDEN')
})

test('RULE-71 the clean-up job deletes unneeded files and no others', async () => {
  const upload = async () => {
    const body = { filename: 'list.csv', contentType: 'text/csv', size: 3, project: projectId }
    const { body: ticket } = await ada.call(fileEndpoints.create, { body })
    return {
      ...ticket,
      put: (bytes: string, headers: Record<string, string> = {}) =>
        fetch(server.url + ticket.url, {
          method: 'PUT',
          headers: { 'content-type': 'text/csv', ...headers },
          body: bytes,
        }),
    }
  }
  const age = (filename: string, interval: string) =>
    sql`update file set created_at = now() - ${interval}::interval,
      stored_at = case when stored_at is not null then now() - ${interval}::interval end
      where filename = ${filename}`.execute(db)
  const first = { 'content-range': 'bytes 0-1/3' }
  const [unused, late, paused, going, fresh, old] = [
    await upload(),
    await upload(),
    await upload(),
    await upload(),
    await upload(),
    await upload(),
  ]
  for (const part of [late, paused, going]) expect((await part.put('a;', first)).status).toBe(409)
  for (const whole of [fresh, old]) expect((await whole.put('a;b')).status).toBe(200)
  const ended = [unused.filename, late.filename, paused.filename]
  await sql`update upload_ticket t set expires_at = now() from file f
    where f.id = t.file_id and f.filename = any(${ended})`.execute(db)
  // An expired upload can continue for a day.
  for (const { filename } of [fresh, paused]) await age(filename, '23 hours')
  for (const { filename } of [old, unused, late]) await age(filename, '25 hours')

  const [stays, expired] = [await keep({ lifetime: 1 }), await keep({ lifetime: 1 })]
  await db.transaction().execute((trx) => files.setLifetime(trx, [stays.id], null))
  await age(await filenameOf(stays), '1 year')
  const { projectId: gone } = await given.project(ada)
  const ofGone = await keep({ projectId: gone })
  await db.deleteFrom('project').where('id', '=', gone).execute()
  const owner = await given.person()
  const ofDeletedPerson = await keep({ projectId: null, personId: owner.personId, readers: 'person' })
  await sql`update file set person_id = null where id = ${ofDeletedPerson.id}`.execute(db)

  const names = Object.fromEntries(
    await Promise.all(
      Object.entries({ stays, expired, ofGone, ofDeletedPerson }).map(async ([what, file]) => [
        what,
        await filenameOf(file),
      ]),
    ),
  ) as Record<string, string>
  const strays = ['0'.repeat(32), '1'.repeat(32), '2'.repeat(32)]
  const yesterday = (Date.now() - 25 * hour) / 1000
  const stray = async (place: string, name: string) => {
    const path = join(folder, place, name)
    await mkdir(join(folder, place), { recursive: true })
    await writeFile(path, 'left behind')
    return path
  }
  await utimes(await stray('parts', strays[0] ?? ''), yesterday, yesterday)
  await utimes(await stray('kept/11', strays[1] ?? ''), yesterday, yesterday)
  await stray('parts', strays[2] ?? '')

  await server.app.sweepFiles()
  const left = await filesOnDisk()
  expect(left).toEqual(
    expect.arrayContaining([
      going.filename,
      paused.filename,
      fresh.filename,
      names['stays'],
      strays[2],
    ] as string[]),
  )
  const swept = [
    late.filename,
    old.filename,
    names['expired'],
    names['ofGone'],
    names['ofDeletedPerson'],
    strays[0],
    strays[1],
  ]
  expect(left.filter((name) => swept.includes(name))).toEqual([])
  const rows = await db.selectFrom('file').select('filename').execute()
  expect(rows.filter(({ filename }) => [unused.filename, ...swept].includes(filename))).toEqual([])

  // The upload in progress continues.
  const rest = await going.put('b', { 'content-range': 'bytes 2-2/3' })
  expect(rest.status).toBe(200)
  await rm(join(folder, 'parts', strays[2] ?? ''))
})

test.each([
  'multipart/x-mixed-replace',
  'application/xhtml+xml',
  'application/xml',
  'text/xsl',
  'text/javascript',
  'application/x-shockwave-flash',
  'message/rfc822',
])('RULE-70 a file of the type %s is a download without scripts, with any link', async (contentType) => {
  const file = await keep({ contentType, name: 'a' })
  const { headers } = await get(linkTo(file, { lifetime: hour, inline: true }))
  expect(headers.get('content-disposition')).toMatch(/^attachment;/)
  expect(headers.get('content-security-policy')).toBe("sandbox; default-src 'none'")
  expect(headers.get('x-content-type-options')).toBe('nosniff')
})

test('RULE-70 only the user of the server can enter the folders of files', async () => {
  await keep()
  for (const place of [folder, join(folder, 'kept')]) expect((await stat(place)).mode & 0o777).toBe(0o700)
})
