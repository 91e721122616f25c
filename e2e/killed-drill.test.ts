import { randomBytes } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { apiBase, type Backups, backupEndpoints } from '@pult/contract'
import { freePort, sized } from '@pult/testkit'
import pg from 'pg'
import { expect, test } from 'vitest'
import { makeKey } from '../apps/server/src/backup/encryption.ts'
import { createSigner } from '../apps/server/src/backup/signer.ts'
import { connectionTo } from '../apps/server/src/platform/database/embedded/connection.ts'
import { readPidFile } from '../apps/server/src/platform/database/embedded/pid-file.ts'
import { dataFolder, postgresOf, signal, startProcess } from './server-process.ts'

// The drill runs with a low priority, so that it waits for the other tests.
const patience = { timeout: 90_000, interval: 20 }

/** Returns the process that makes a backup for a server. */
async function workerOf(server: number): Promise<number> {
  const children = await readFile(`/proc/${server}/task/${server}/children`, 'utf8')
  for (const pid of children.split(' ').filter(Boolean))
    if ((await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).includes('backup/worker'))
      return Number(pid)
  throw new Error('no process makes a backup')
}

test('a drill that is interrupted by kill -9 leaves no scratch database and no proof, and root sees the interruption', {
  tags: ['long'],
}, async () => {
  const data = await dataFolder()
  const scratch = join(data, 'restore-drill')
  const secret = randomBytes(32).toString('base64')
  const settings = {
    PORT: String(await freePort()),
    PULT_DATA: data,
    PULT_SECRET: secret,
    BACKUP_FOLDER: await dataFolder(),
    BACKUP_RECIPIENT: `${(await makeKey()).recipient}.${createSigner(secret).fingerprint}`,
    BACKUP_SCHEDULE: 'off',
  }
  let server = startProcess(settings)
  await server.ready()
  const registered = await fetch(server.firstRootLink()?.replace('/bift/', '/api/bift/redeem/') ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ firstname: 'Rosa', lastname: 'Root', password: 'eine gute lange Kette' }),
  })
  const { token: authorization } = (await registered.json()) as { token: string }
  const backups = async (method: 'GET' | 'POST') => {
    const url = `http://localhost:${settings.PORT}${apiBase}${backupEndpoints.read.path}`
    const answer = await fetch(url, { method, headers: { authorization } })
    expect(answer.status).toBe(200)
    return (await answer.json()) as Backups
  }
  const reachDrill = async () => {
    await backups('POST')
    // The creation of the scratch database also starts processes, which end with the drill.
    const status = async () => (await readPidFile(join(scratch, 'postgres')))?.status
    await expect.poll(status, patience).toBe('ready')
    return workerOf(server.pid ?? 0)
  }
  const expectNoScratch = async () => {
    const left = async () => [
      await postgresOf(scratch),
      await stat(scratch).then(
        () => 'folder',
        () => 'none',
      ),
    ]
    await expect.poll(left, patience).toEqual([[], 'none'])
  }

  // Kills the server and the process of the drill, so that the scratch database keeps running.
  const worker = await reachDrill()
  signal(worker, 'SIGKILL')
  server.kill('SIGKILL')
  await server.exited
  expect((await postgresOf(scratch)).length).toBeGreaterThan(0)
  server = startProcess(settings)
  await server.ready()
  await expectNoScratch()
  const unproven = { provenAt: null, archives: [{ provenAt: null }] }
  expect(await backups('GET')).toMatchObject(unproven)

  // The run counts as lost after a minute.
  const pidFile = await readPidFile(join(data, 'postgres'))
  const client = new pg.Client(connectionTo(pidFile?.socketFolder ?? '', pidFile?.port ?? 0))
  await client.connect()
  await client.query(`update backup_run set seen_at = now() - interval '2 minutes'`)
  await client.end()
  expect(await backups('GET')).toMatchObject({
    ...unproven,
    running: null,
    failure: null,
    drillFailure: { reason: 'it was interrupted: its server ended' },
  })

  // Kills only the server: the process of the drill removes the scratch database.
  if (!sized(false, true)) return
  const second = await reachDrill()
  server.kill('SIGKILL')
  await server.exited
  await expectNoScratch()
  await expect.poll(() => stat(`/proc/${second}`).catch(() => 'ended'), patience).toBe('ended')
})
