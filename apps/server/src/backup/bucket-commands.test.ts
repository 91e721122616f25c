import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createTestDatabase, openS3Server, testServer } from '@pult/testkit'
import { expect, onTestFinished, test } from 'vitest'

const cli = fileURLToPath(new URL('../cli.ts', import.meta.url))
const server = await testServer()
const bucket = await openS3Server()

function addressOf({ connection }: Pick<typeof server.testDatabase, 'connection'>): string {
  const { host, port, user, database } = connection
  const query = new URLSearchParams({ host, port: String(port), user })
  return `postgresql:///${database}?${query.toString()}`
}

/** Runs a command with the account of the bucket, while the files are in a folder. */
function pult(args: string[], settings: Record<string, string> = {}) {
  const { PATH = '' } = process.env
  const { FILES_S3_BUCKET: _bucket, ...account } = bucket.settings
  const env = {
    PATH,
    DATABASE_URL: addressOf(server.testDatabase),
    PULT_SECRET: server.secret,
    PULT_DATA: server.dataFolder,
    ...account,
    ...settings,
  }
  return new Promise<{ code: number | null; out: string[]; err: string }>((done) => {
    const child = execFile(
      process.execPath,
      [cli, ...args],
      { env, timeout: 60_000 },
      (_error, stdout, stderr) => done({ code: child.exitCode, out: stdout.trim().split('\n'), err: stderr }),
    )
  })
}

test('commands back up to a bucket that only their argument names, and restore from it', async () => {
  const place = 's3://pult/vault'
  const made = await pult(['backup', '--unencrypted', '--to', place])
  expect([made.code, made.err]).toEqual([0, ''])
  const [archive = ''] = made.out
  expect(archive).toContain(`${place}/archives/`)
  expect((await pult(['backup', 'list', '--to', place])).out).toEqual([expect.stringContaining(archive)])
  expect((await pult(['backup', 'check', archive])).out).toEqual([expect.stringContaining('Complete: Pult')])

  const target = await createTestDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'pult-restored-'))
  onTestFinished(async () => {
    await target.drop()
    await rm(folder, { recursive: true })
  })
  const restored = await pult(['restore', archive, '--into', addressOf(target)], { PULT_DATA: folder })
  expect([restored.code, restored.out[0]]).toEqual([0, expect.stringContaining('Restored:')])
  expect(await readdir(folder)).toContain('files')
})
