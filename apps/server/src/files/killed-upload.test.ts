import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdir, stat, utimes } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { fileEndpoints, type UploadTicket } from '@pult/contract'
import { freePort, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'

/** This server survives and shares database and files with the killed one. */
const server = await testServer()
const { connection } = server.testDatabase
const node = join(import.meta.dirname, '../tasks/testing/task-node.ts')
const folder = join(server.dataFolder, 'files')
const keeping = join(import.meta.dirname, 'testing/keeping-process.ts')

function databaseUrl(): string {
  const { host, port, user, database } = connection
  return `postgresql://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
}

async function startNode(): Promise<{ url: string; child: ChildProcess }> {
  const port = await freePort()
  const child = spawn(process.execPath, [node], {
    env: {
      PATH: process.env['PATH'],
      PORT: String(port),
      DATABASE_URL: databaseUrl(),
      PULT_SECRET: server.secret,
      PULT_DATA: server.dataFolder,
      FILES_FOLDER: folder,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  for await (const chunk of child.stdout) if (String(chunk).includes('is ready')) break
  return { url: `http://localhost:${port}`, child }
}

const inFolder = (place: string) => readdir(join(folder, place), { recursive: true, withFileTypes: true })
const filesIn = async (place: string) =>
  (await inFolder(place).catch(() => [])).filter((entry) => entry.isFile()).map(({ name }) => name)

test('RULE-71 a server that is killed during uploads leaves no partial file, and another node can continue them', async () => {
  const ada = await server.given.person()
  const size = 24 * 1024 * 1024
  const whole = Buffer.alloc(size)
  for (let place = 0; place < size; place += 997) whole[place] = place % 251
  const body = { filename: 'a.bin', contentType: 'application/octet-stream', size }
  const tickets: UploadTicket[] = []
  for (let count = 0; count < 8; count += 1)
    tickets.push((await ada.call(fileEndpoints.create, { body })).body)

  const { url, child } = await startNode()
  const statuses = tickets.map(
    ({ url: path }, index) =>
      new Promise<number>((resolve) => {
        const headers = { 'content-type': body.contentType, 'content-length': size }
        const request = httpRequest(url + path, { method: 'PUT', headers }, (response) => {
          response.resume()
          resolve(response.statusCode ?? 0)
        })
        request.on('error', () => resolve(0))
        // The first two uploads finish. The others stop at different positions, one before its last byte.
        if (index < 2) request.end(whole)
        else request.write(whole.subarray(0, index === 2 ? size - 1 : index * 3 * 1024 * 1024))
      }),
  )
  await Promise.all(statuses.slice(0, 2))
  const partSizes = async () =>
    Promise.all((await filesIn('parts')).map(async (name) => (await stat(join(folder, 'parts', name))).size))
  await expect.poll(async () => (await partSizes()).filter((bytes) => bytes > 8_000_000).length).toBe(6)
  child.kill('SIGKILL')
  await once(child, 'exit')
  const answered = await Promise.all(statuses)
  expect(answered.slice(0, 2)).toEqual([200, 200])
  expect(answered.slice(2)).toEqual([0, 0, 0, 0, 0, 0])

  const digest = createHash('sha256').update(whole).digest('hex')
  const kept = async () =>
    db.selectFrom('file').select(['filename', 'sha256']).where('stored_at', 'is not', null).execute()
  const { db } = server
  const rows = await kept()
  // Acknowledged uploads exist, and no incomplete file exists.
  expect(rows).toHaveLength(2)
  expect((await filesIn('kept')).toSorted()).toEqual(rows.map(({ filename }) => filename).toSorted())
  for (const { sha256 } of rows) expect(sha256?.toString('hex')).toBe(digest)

  // immich#20923: until the hold of the dead node expires, clients learn how long they have to wait.
  const held = tickets.find(({ filename }) => !rows.some((row) => row.filename === filename))
  // On a slow machine, the hold may have expired already.
  await db
    .updateTable('upload_ticket')
    .set({ held_until: sql<Date>`now() + interval '20 seconds'` })
    .where('held_until', 'is not', null)
    .execute()
  for (const method of ['HEAD', 'PUT']) {
    const answer = await fetch(server.url + (held?.url ?? ''), {
      method,
      headers: { 'content-type': body.contentType },
      ...(method === 'PUT' && { body: 'x' }),
    })
    expect([method, answer.status]).toEqual([method, method === 'HEAD' ? 200 : 409])
    const seconds = Number(answer.headers.get('retry-after'))
    expect(seconds).toBeGreaterThan(0)
    expect(seconds).toBeLessThanOrEqual(20)
  }
  // The hold would expire after a while; the test expires it now.
  await db.updateTable('upload_ticket').set({ held_until: sql<Date>`now()` }).execute()
  const [next, ...abandoned] = tickets.filter(
    ({ filename }) => !rows.some((row) => row.filename === filename),
  )
  if (next === undefined) throw new Error('every upload was complete')
  const head = await fetch(server.url + next.url, { method: 'HEAD' })
  const offset = Number(head.headers.get('upload-offset'))
  const resumed = await fetch(server.url + next.url, {
    method: 'PUT',
    headers: {
      'content-type': body.contentType,
      ...(offset > 0 && { 'content-range': `bytes ${offset}-${size - 1}/${size}` }),
    },
    body: whole.subarray(offset),
  })
  expect(resumed.status).toBe(200)
  expect((await kept()).every(({ sha256 }) => sha256?.toString('hex') === digest)).toBe(true)

  expect(abandoned.length).toBeGreaterThan(0)
  // They could be resumed with new addresses for a day.
  await db.updateTable('upload_ticket').set({ expires_at: sql<Date>`now()` }).execute()
  await server.app.sweepFiles()
  expect((await filesIn('parts')).length).toBe(abandoned.length)
  await db
    .updateTable('file')
    .set({ created_at: sql<Date>`now() - interval '24 hours'` })
    .where('stored_at', 'is', null)
    .execute()
  await server.app.sweepFiles()
  expect(await filesIn('parts')).toEqual([])
  expect((await filesIn('kept')).length).toBe((await kept()).length)
})

test('RULE-71 files that a killed server had not assigned to a record are deleted, in rows and on disk', {
  timeout: 30_000,
}, async () => {
  const { db, given } = server
  const { projectId } = await given.project(await given.person())
  const killedAfter = async (word: string, ...more: string[]) => {
    const child = spawn(process.execPath, [keeping, databaseUrl(), folder, projectId, ...more], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    for await (const chunk of child.stdout) if (String(chunk).includes(word)) break
    // The file system shows the written bytes a moment later.
    await expect.poll(async () => (await filesIn('parts')).length).toBe(1)
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  const rows = () =>
    db
      .selectFrom('file')
      .select('filename')
      .where('project_id', '=', projectId)
      .where('released_at', 'is', null)
      .execute()
  await killedAfter('half', 'half')
  expect([(await filesIn('parts')).length, await rows()]).toEqual([1, []])
  await killedAfter('kept')
  const [kept] = await rows()
  expect(await filesIn('kept')).toContain(kept?.filename)

  // Fresh parts remain, because an upload may still be in progress.
  await server.app.sweepFiles()
  expect([(await filesIn('parts')).length, (await rows()).length]).toEqual([1, 1])
  const yesterday = Date.now() / 1000 - 25 * 3600
  for (const part of await filesIn('parts')) await utimes(join(folder, 'parts', part), yesterday, yesterday)
  await db
    .updateTable('file')
    .set({ expires_at: sql<Date>`now()` })
    .where('project_id', '=', projectId)
    .execute()
  await server.app.sweepFiles()
  expect([await filesIn('parts'), await rows()]).toEqual([[], []])
  expect(await filesIn('kept')).not.toContain(kept?.filename)
})
