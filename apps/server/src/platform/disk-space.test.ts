import { Readable } from 'node:stream'
import { apiBase, fileEndpoints, noteEndpoints } from '@pult/contract'
import { testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createDiskSpace } from './disk-space.ts'
import { createLog } from './log.ts'

const mebibyte = 1024 ** 2
const disk = { free: 10_000 * mebibyte }
const server = await testServer({
  settings: { DISK_RESERVE: String(500 * mebibyte) },
  probeDisk: async () => ({ free: disk.free, size: 20_000 * mebibyte }),
})

test('below the reserve uploads and exports return DISK_RESERVED, while notes are saved', async () => {
  const ada = await server.given.person()
  const { projectId } = await server.given.project(ada)
  const upload = { filename: 'a.bin', contentType: 'application/octet-stream', size: 4, project: projectId }
  const ask = () => ada.call(fileEndpoints.create, { body: upload })
  const put = async (url: string) => {
    const headers = { 'content-type': upload.contentType }
    const answer = await fetch(server.url + url, { method: 'PUT', headers, body: 'abcd' })
    return [answer.status, ((await answer.json()) as { code?: string }).code]
  }
  const keep = () =>
    server.app.files.keep(
      { ...upload, projectId, personId: null, readers: 'project', name: 'export.zip', lifetime: 3_600_000 },
      Readable.from([Buffer.alloc(100)]),
    )
  const { url } = (await ask()).body
  const setFree = (free: number) => {
    disk.free = free
    return server.app.disk.refresh()
  }

  await setFree(499 * mebibyte)
  expect(await ask()).toFailWith('DISK_RESERVED')
  expect(await put(url)).toEqual([507, 'DISK_RESERVED'])
  await expect(keep()).rejects.toMatchObject({ code: 'DISK_RESERVED' })
  const note = { params: { projectId }, body: { label: 'Still saved' } }
  expect(await ada.call(noteEndpoints.create, note)).toSucceed()

  await setFree(10_000 * mebibyte)
  expect(await put(url)).toEqual([200, undefined])
})

test('without the reserve the server is not ready, and one log line reports that the disk is full', async () => {
  const ready = async () => {
    const answer = await fetch(`${server.url}${apiBase}/health/ready`)
    return [answer.status, ((await answer.json()) as { code?: string }).code]
  }
  const lines = () => server.logLines.filter((line) => /disk full/i.test(line)).length
  const before = lines()
  disk.free = 10 * mebibyte
  await server.app.disk.refresh()
  await server.app.disk.refresh()
  expect(await ready()).toEqual([507, 'SERVER_DISK_FULL'])
  expect((await fetch(`${server.url}${apiBase}/health/live`)).status).toBe(200)
  expect(lines() - before).toBe(1)
  disk.free = 10_000 * mebibyte
  await server.app.disk.refresh()
  expect(await ready()).toEqual([200, undefined])
})

test('a statement that fails for a full disk returns SERVER_DISK_FULL', async () => {
  const full = sql`do $$ begin raise sqlstate '53100'; end $$`.execute(server.db)
  await expect(full).rejects.toMatchObject({ code: 'SERVER_DISK_FULL' })
})

test('the free space is read again after 8 MiB, so that a fast upload cannot use the reserve', async () => {
  let probes = 0
  const space = createDiskSpace({
    folders: ['/data'],
    reserve: 100 * mebibyte,
    log: createLog('silent'),
    probe: async () => {
      probes += 1
      return { free: (probes === 1 ? 1000 : 90) * mebibyte, size: 1000 * mebibyte }
    },
  })
  await space.admit(9 * mebibyte)
  await expect(space.admit(1)).rejects.toMatchObject({ code: 'DISK_RESERVED' })
})

test('a folder that hangs is asked once, and the space of the other folder is known', async () => {
  const asked: string[] = []
  const gone = Promise.withResolvers<{ free: number; size: number }>()
  const space = createDiskSpace({
    folders: ['/gone', '/data'],
    reserve: 100 * mebibyte,
    log: createLog('silent'),
    probe: (folder) => {
      asked.push(folder)
      return folder === '/gone'
        ? gone.promise
        : Promise.resolve({ free: 500 * mebibyte, size: 1000 * mebibyte })
    },
  })
  for (let round = 0; round < 5; round += 1) await space.refresh()
  expect(asked.filter((folder) => folder === '/gone')).toHaveLength(1)
  expect(space.read()?.free).toBe(500 * mebibyte)
  gone.resolve({ free: 50 * mebibyte, size: 1000 * mebibyte })
  await expect
    .poll(async () => {
      await space.refresh()
      return space.read()?.free
    })
    .toBe(50 * mebibyte)
})

test('routinator#785 a disk without free inodes takes no file, and one log line names the inodes', async () => {
  const lines: string[] = []
  const found: { free: number; size: number; inodes: number } = {
    free: 500 * mebibyte,
    size: 1000 * mebibyte,
    inodes: 0,
  }
  const space = createDiskSpace({
    folders: ['/data'],
    reserve: 0,
    log: createLog('info', { write: (line) => void lines.push(line) }),
    probe: async () => ({ ...found }),
  })
  const messages = () => lines.map((line) => (JSON.parse(line) as { msg: string }).msg)
  await expect(space.admit(0)).rejects.toMatchObject({
    code: 'DISK_RESERVED',
    message: expect.stringContaining('no free inodes'),
  })
  await space.refresh()
  expect(space.isFull()).toBe(false)
  found.inodes = 10
  await space.refresh()
  await space.admit(0)
  expect(messages()).toEqual([
    expect.stringMatching(/^disk full: it has no free inodes/),
    'the disk has space again',
  ])
})
