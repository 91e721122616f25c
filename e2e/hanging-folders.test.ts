import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, constants, openSync, writeSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { apiBase, type Condition, conditionEndpoints, loginEndpoints } from '@pult/contract'
import { freePort, underLoad } from '@pult/testkit'
import { expect, test } from 'vitest'
import { makeKey } from '../apps/server/src/backup/encryption.ts'
import { createSigner } from '../apps/server/src/backup/signer.ts'
import { dataFolder, startProcess } from './server-process.ts'

/*
 * A named pipe without a writer stands for a network folder whose server is gone: the call that opens it holds its
 * thread until a writer opens it.
 */

const run = promisify(execFile)
const root = join(import.meta.dirname, '..')
const email = 'rosa@example.org'
const password = 'eine gute lange Kette'
const silence = /does not answer|did not answer/

/** Puts a pipe in the place of a path in one step: no call finds nothing there. */
async function hang(path: string): Promise<void> {
  const pipe = `${path}.pipe`
  await run('mkfifo', [pipe])
  await rename(pipe, path)
}

/** Answers the calls that wait, and those that follow. */
async function heal(path: string, content: string): Promise<void> {
  // Opened for both, because opening for writing alone would wait for a reader.
  const pipe = openSync(path, constants.O_RDWR)
  // While the pipe has a writer, no call waits. Once it has left its path, none opens it.
  if (content === '') await rm(path)
  else {
    await writeFile(`${path}.healed`, content)
    await rename(`${path}.healed`, path)
  }
  writeSync(pipe, content)
  closeSync(pipe)
}

test('folders of files and backups that hang leave the server alone, are named, and heal', {
  timeout: 300_000,
}, async () => {
  const [data, files, backups] = [await dataFolder(), await dataFolder(), await dataFolder()]
  const secret = randomBytes(32).toString('base64')
  const settings = {
    PORT: String(await freePort()),
    PULT_DATA: data,
    PULT_SECRET: secret,
    FILES_FOLDER: files,
    BACKUP_FOLDER: backups,
    BACKUP_RECIPIENT: `${(await makeKey()).recipient}.${createSigner(secret).fingerprint}`,
    BACKUP_SCHEDULE: 'off',
    ROOT_EMAIL: email,
  }
  await mkdir(join(backups, 'archives'))
  const server = startProcess(settings)
  await server.ready()
  const api = `http://localhost:${settings.PORT}${apiBase}`
  const registered = await fetch(server.firstRootLink()?.replace('/bift/', '/api/bift/redeem/') ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ firstname: 'Rosa', lastname: 'Root', password }),
  })
  const { token: authorization } = (await registered.json()) as { token: string }
  const condition = async () => {
    const answer = await fetch(api + conditionEndpoints.read.path, { headers: { authorization } })
    return (await answer.json()) as Condition
  }
  const problems = async () => (await condition()).checks.map(({ what }) => what).join('\n')
  const signIn = async () => {
    const begin = performance.now()
    const answer = await fetch(api + loginEndpoints.login.path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ type: 'credentials', data: { username: email, password } }),
    })
    expect(answer.status).toBe(200)
    return performance.now() - begin
  }
  const health = async () => (await (await fetch(`${api}/health`)).json()) as Record<string, string>
  const metrics = async () => (await fetch(`${api}/metrics`)).text()
  const doctor = () =>
    run(process.execPath, ['apps/server/src/cli.ts', 'doctor'], {
      cwd: root,
      env: { PATH: process.env.PATH, ...settings },
      timeout: 60_000,
    }).then(
      ({ stdout }) => ({ code: 0, text: stdout }),
      (error: unknown) => {
        const { code, stdout } = error as { code: number | null; stdout: string }
        return { code, text: stdout }
      },
    )

  expect(await problems()).not.toMatch(silence)
  const archives = Array.from({ length: 12 }, (_, index) =>
    join(backups, 'archives', `20261101T0${String(index).padStart(2, '0')}000000Z-0123456${index % 10}.pult`),
  )
  const storeId = join(files, 'store-id')
  const id = await readFile(storeId, 'utf8').catch(() => '')
  const all = [storeId, ...archives]

  // More than two folders that hang can hold.
  const { threads = '' } =
    /^Threads:\s+(?<threads>\d+)$/m.exec(await readFile(`/proc/${server.pid}/status`, 'utf8'))?.groups ?? {}
  expect(Number(threads)).toBeGreaterThan(32)

  await Promise.all(all.map(hang))
  await expect.poll(health, { timeout: 30_000 }).toMatchObject({ files: 'fail' })
  // Each reading of the condition used to take a thread for ever, and the fourth one everything else.
  for (let round = 0; round < 8; round += 1) {
    const texts = await problems()
    expect(texts).toContain('the file store does not answer')
    expect(texts).toContain('the place of the backups did not answer')
  }
  for (let round = 0; round < 5; round += 1) expect(await signIn()).toBeLessThan(underLoad(1000))
  expect((await fetch(`${api}/health/ready`)).status).toBe(200)
  expect(await metrics()).toMatch(/^pult_file_store_ready 0$/m)
  await expect.poll(() => server.output()).toContain('the file store does not answer')

  const found = await doctor()
  expect(found.code).toBe(1)
  expect(found.text).toContain('the place of the backups did not answer')

  await Promise.all(all.map((path) => heal(path, path === storeId ? id || 'an id' : '')))
  await expect.poll(health, { timeout: 30_000 }).toMatchObject({ files: 'ok' })
  await expect.poll(problems).not.toMatch(silence)
  expect(await metrics()).toMatch(/^pult_file_store_ready 1$/m)

  // A process whose folders hang can be stopped.
  await Promise.all(archives.map(hang))
  await condition()
  server.kill('SIGTERM')
  expect(await server.exited).toBe(0)
})
