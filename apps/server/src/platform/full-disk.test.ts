import { execFile } from 'node:child_process'
import { chmod, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { apiBase, type ErrorReply, fileEndpoints, noteEndpoints } from '@pult/contract'
import { sized, smallDisk, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { migrations } from '../../migrations/index.ts'
import { openDatabase } from './database/database.ts'
import { startEmbeddedDatabase } from './database/embedded/embedded-database.ts'
import { migrateToLatest } from './database/migrate.ts'

/*
 * A real database and its files on a small dedicated disk, which fills up while a user works.
 */

const run = promisify(execFile)
const mebibyte = 1024 ** 2
const disk = await smallDisk('size=280m,mode=755')

/** Fills the disk until no space, or this many bytes, is left. */
async function fill(folder: string, left = 0): Promise<void> {
  const filler = join(folder, `filler-${left}`)
  const { stdout } = await run('df', ['--output=avail', '-B1', folder])
  const free = Number(stdout.split('\n')[1])
  await run('sh', ['-c', `head -c ${Math.max(0, free - left)} /dev/zero > ${filler} || true`])
  if (left === 0) await run('sh', ['-c', `cat /dev/zero > ${filler}-rest || true`])
}

test.skipIf(disk === undefined)(
  'RULE-71 RULE-80 on a filling disk, work continues until the reserve is gone, and no acknowledged write is lost',
  { timeout: sized(90_000, 400_000), tags: ['long'] },
  async () => {
    const folder = disk ?? ''
    const dataFolder = join(folder, 'data')
    await mkdir(join(dataFolder, 'files'), { recursive: true })
    await chmod(dataFolder, 0o755)
    const database = await startEmbeddedDatabase({ dataFolder, log: () => {} })
    onTestFinished(database.stop)
    const migrating = openDatabase({ connection: database.connection, max: 1, limits: {}, onError: () => {} })
    await migrateToLatest(migrating.db, migrations)
    await migrating.close()
    const server = await testServer({
      besides: {
        testDatabase: { connection: database.connection, drop: async () => {} },
        secret: 'a secret of thirty-two characters',
        dataFolder,
      },
      settings: { DISK_RESERVE: String(64 * mebibyte) },
    })
    onTestFinished(server.stop)
    // A node on another machine, whose own disk has space.
    const remote = await testServer({
      besides: {
        testDatabase: { connection: database.connection, drop: async () => {} },
        secret: 'a secret of thirty-two characters',
        dataFolder,
      },
      probeDisk: async () => ({ free: 2 ** 40, size: 2 ** 41 }),
    })
    onTestFinished(remote.stop)
    const ada = await server.given.person()
    const { projectId } = await server.given.project(ada)
    const params = { projectId }
    const written: string[] = []
    let count = 0
    async function write(text = '') {
      const label = `note ${(count += 1)}`
      const answer = await ada.call(noteEndpoints.create, { params, body: { label, text } })
      if (answer.status === 200) written.push(label)
      return answer
    }
    const upload = { filename: 'a.bin', contentType: 'application/octet-stream', size: 4, project: projectId }
    const ready = async (node = server) => {
      const answer = await fetch(`${node.url}${apiBase}/health/ready`)
      return [answer.status, ((await answer.json()) as Partial<ErrorReply>).code]
    }

    for (let round = 0; round < sized(1, 5); round += 1) {
      // Within the reserve.
      await fill(folder, 40 * mebibyte)
      await server.app.disk.refresh()
      expect(await ada.call(fileEndpoints.create, { body: upload })).toFailWith('DISK_RESERVED')
      for (let times = 0; times < sized(1, 50); times += 1) expect(await write()).toSucceed()
      await ada.login()
      expect(await ready()).toEqual([200, undefined])

      // Uses up the reserve while users write.
      const long = 'x'.repeat(9000)
      const full = fill(folder)
      const writeUntilRefused = () =>
        vi.waitUntil(async () => (await write(long)).code === 'SERVER_DISK_FULL', {
          timeout: 60_000,
          interval: 0,
        })
      await Promise.all(Array.from({ length: sized(1, 4) }, writeUntilRefused))
      await full
      await server.app.disk.refresh()
      expect(await ready()).toEqual([507, 'SERVER_DISK_FULL'])
      const refused = new Set<string | undefined>()
      for (let times = 0; times < 20; times += 1) refused.add((await write(long)).code)
      refused.delete(undefined)
      expect([...refused]).toEqual(['SERVER_DISK_FULL'])
      expect(server.logLines.filter((line) => line.includes('disk full'))).toHaveLength(round + 1)
      const body = { label: 'remote', text: long }
      const fromRemote = async () =>
        (await remote.call(noteEndpoints.create, { params, body }, ada.token)).code
      await vi.waitUntil(async () => (await fromRemote()) === 'SERVER_DISK_FULL', {
        timeout: 60_000,
        interval: 0,
      })
      await vi.waitUntil(async () => (await ready(remote))[1] === 'SERVER_DISK_FULL', { timeout: 30_000 })

      // Frees space.
      await run('sh', ['-c', `rm -f ${join(folder, 'filler-')}*`])
      const within = { timeout: 30_000, interval: 50 }
      await vi.waitUntil(async () => (await write()).status === 200, within)
      for (const node of [server, remote])
        expect(await vi.waitUntil(async () => (await ready(node))[0] === 200, within)).toBe(true)
    }

    const { rows } = await sql<{ label: string; isAudited: boolean }>`
      select label, exists (select from audit where target = note.id::text and event = 'note.created') as "isAudited"
      from note`.execute(server.db)
    const kept = new Map(rows.map(({ label, isAudited }) => [label, isAudited]))
    expect(written.filter((label) => kept.get(label) !== true)).toEqual([])
    expect(written.length).toBeGreaterThan(2)
    await rm(join(folder, 'data/files'), { recursive: true, force: true })
  },
)
