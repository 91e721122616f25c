import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { createDiskFiles } from '#platform/files/disk-files.ts'

const databaseUrl = 'postgres://shared.example.org/pult'
const server = await testServer({ config: { databaseUrl } })

test('a node with another file store refuses to start while a node runs, and starts when that node is lost', async () => {
  const elsewhere = await mkdtemp(join(tmpdir(), 'pult-files-'))
  onTestFinished(() => rm(elsewhere, { recursive: true, force: true }))
  const start = () =>
    testServer({ besides: server, config: { databaseUrl, filesFolder: join(elsewhere, 'files') } })
  await expect(testServer({ besides: server, config: { databaseUrl } })).resolves.toBeDefined()
  await expect(start()).rejects.toThrow(/stores its files in another place\. Give all nodes the same/)
  await sql`update node set seen_at = now() - interval '31 seconds'`.execute(server.db)
  await expect(start()).resolves.toBeDefined()
})

test('nodes that create the id of a store concurrently read the same one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pult-files-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const ids = await Promise.all(Array.from({ length: 20 }, () => createDiskFiles(folder).identify()))
  expect(new Set(ids).size).toBe(1)
})
