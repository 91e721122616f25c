import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { openS3Server, testServer } from '@pult/testkit'
import { expect, test } from 'vitest'

const cli = fileURLToPath(new URL('../cli.ts', import.meta.url))
const server = await testServer()
const bucket = await openS3Server()

/** Runs a command with the account of the bucket, while the files are in a folder. */
function pult(...args: string[]) {
  const { PATH = '' } = process.env
  const { host, port, user, database } = server.testDatabase.connection
  const query = new URLSearchParams({ host, port: String(port), user })
  const { FILES_S3_BUCKET: _bucket, ...account } = bucket.settings
  const env = {
    PATH,
    DATABASE_URL: `postgresql:///${database}?${query.toString()}`,
    PULT_SECRET: server.secret,
    PULT_DATA: server.dataFolder,
    ...account,
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

test('a command backs up to a bucket that only its argument names', async () => {
  const place = 's3://pult/vault'
  const made = await pult('backup', '--unencrypted', '--to', place)
  expect([made.code, made.err]).toEqual([0, ''])
  const [archive = ''] = made.out
  expect(archive).toContain(`${place}/archives/`)
  expect((await pult('backup', 'list', '--to', place)).out).toEqual([expect.stringContaining(archive)])
  expect((await pult('backup', 'check', archive)).out).toEqual([expect.stringContaining('Complete: Pult')])
})
