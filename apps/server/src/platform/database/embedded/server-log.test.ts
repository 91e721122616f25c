import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { limitServerLog, openServerLog, readFailure } from './server-log.ts'
import { temporaryFolder } from './testing/temporary-folder.ts'

it('the log stays small while a server writes to it', async () => {
  const path = join(await temporaryFolder(), 'server.log')
  const log = await openServerLog(path)
  await log.write('old '.repeat(50))
  await limitServerLog(path, 1_000)
  expect((await stat(path)).size).toBe(200)

  await limitServerLog(path, 100)
  await log.write('new')
  await log.close()
  expect(await readFile(path, 'utf8')).toBe('new')
  expect(await readFile(`${path}.1`, 'utf8')).toBe('old '.repeat(50))
})

it('an oversized log is replaced when the server starts', async () => {
  const path = join(await temporaryFolder(), 'server.log')
  await writeFile(path, Buffer.alloc(6 * 1024 * 1024))
  await (await openServerLog(path)).close()
  expect((await stat(path)).size).toBe(0)
  expect((await stat(`${path}.1`)).size).toBe(6 * 1024 * 1024)
  expect((await stat(path)).mode & 0o777).toBe(0o600)
})

it('the first reason for a server’s exit is reported', async () => {
  const path = join(await temporaryFolder(), 'server.log')
  const earlier = '2026-01-01 [1] FATAL:  earlier\n'
  await writeFile(
    path,
    `${earlier}2026-01-02 [2] LOG:  starting\n2026-01-02 [2] PANIC:  the cause\n[2] FATAL:  follows\n`,
  )
  expect(await readFailure(path, earlier.length)).toBe('the cause')
  expect(await readFailure(path, 10_000)).toBeUndefined()
  expect(await readFailure(`${path}.none`, 0)).toBeUndefined()
})
