import { readdir, statfs, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { fileEndpoints } from '@pult/contract'
import { smallDisk, testServer } from '@pult/testkit'
import { expect, test } from 'vitest'

const disk = await smallDisk('size=4m')
const server = await testServer(
  disk === undefined
    ? {}
    : { settings: { FILES_FOLDER: join(disk, 'files'), DISK_RESERVE: '0', FILE_TOTAL: 'off' } },
)

test.skipIf(disk === undefined)(
  'RULE-71 on a full disk, 20 uploads return 507 without leftovers, and an upload succeeds once there is space',
  async () => {
    const folder = disk ?? ''
    const size = 1_500_000
    const ada = await server.given.person()
    const { projectId } = await server.given.project(ada)
    const body = { filename: 'a.bin', contentType: 'application/octet-stream', size, project: projectId }
    const filler = join(folder, 'filler')
    const free = async () => {
      const { bavail, bsize } = await statfs(folder)
      return bavail * bsize
    }
    /** Fills the disk except for `left` bytes. */
    const fill = async (left: number) => writeFile(filler, Buffer.alloc(Math.max(0, (await free()) - left)))
    const onDisk = async () =>
      (await readdir(join(folder, 'files'), { recursive: true, withFileTypes: true }).catch(() => []))
        // The server writes the id of the store when it checks the folder.
        .filter((entry) => entry.isFile() && !entry.name.startsWith('store-id'))
        .map(({ name }) => name)
    const put = async (url: string) => {
      const headers = { 'content-type': body.contentType }
      const answer = await fetch(server.url + url, { method: 'PUT', headers, body: new Uint8Array(size) })
      return [answer.status, ((await answer.json()) as { code?: string }).code]
    }
    const keep = () =>
      server.app.files.keep(
        {
          projectId,
          personId: null,
          readers: 'project',
          name: 'a',
          contentType: body.contentType,
          lifetime: 3_600_000,
        },
        Readable.from(Array.from({ length: 15 }, () => Buffer.alloc(100_000))),
      )

    for (let round = 0; round < 20; round += 1) {
      await truncate(filler, 0).catch(() => {})
      const before = await onDisk()
      const { body: ticket } = await ada.call(fileEndpoints.create, { body })
      await fill(Math.floor((round * size) / 20))
      expect([round, ...(await put(ticket.url))]).toEqual([round, 507, 'DISK_FULL'])
      await expect(keep()).rejects.toMatchObject({ code: 'DISK_FULL' })
      expect(await onDisk()).toEqual(before)
      expect((await ada.call(fileEndpoints.create, { body })).code).toBe('DISK_FULL')

      await truncate(filler, 0)
      expect([round, ...(await put(ticket.url))]).toEqual([round, 200, undefined])
      const stored = await ada.call(fileEndpoints.complete, { params: { filename: ticket.filename } })
      await ada.call(fileEndpoints.remove, { params: { fileId: stored.body._id } })
      await server.app.sweepFiles()
    }
    expect(await onDisk()).toEqual([])
    expect(server.logLines.filter((line) => line.includes('a call failed'))).toEqual([])
  },
)
