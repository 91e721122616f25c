import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testServer } from '@pult/testkit'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { makeKey } from './encryption.ts'
import { runWorker } from './run-worker.ts'
import { createSigner } from './signer.ts'
import type { BackupOrder, WorkerMessage } from './worker-messages.ts'

test('the process receives the form of the log lines, and no secret of the server', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pult-worker-'))
  const { execPath, env } = process
  const [program, received] = [join(folder, 'program'), join(folder, 'received')]
  await writeFile(program, `#!/bin/sh\nenv > ${received}\n`)
  await chmod(program, 0o755)
  onTestFinished(async () => {
    process.execPath = execPath
    delete env['LOG_FORMAT']
    delete env['PULT_SECRET']
    await rm(folder, { recursive: true })
  })
  Object.assign(env, { LOG_FORMAT: 'json', PULT_SECRET: 'a secret' })
  process.execPath = program
  await runWorker({} as BackupOrder, () => {}).ended
  const lines = (await readFile(received, 'utf8')).split('\n')
  expect(lines).toContain('LOG_FORMAT=json')
  expect(lines.filter((line) => line.startsWith('PULT_'))).toEqual([])
})

test('a process that cannot start, for example after an update of Node, ends the backup and not the server', async () => {
  const { execPath } = process
  const faults: unknown[] = []
  const onFault = (fault: unknown) => faults.push(fault)
  process.on('uncaughtExceptionMonitor', onFault)
  onTestFinished(() => void process.off('uncaughtExceptionMonitor', onFault))
  process.execPath = '/nowhere/node'
  const worker = runWorker({} as BackupOrder, () => {})
  process.execPath = execPath
  await worker.ended
  worker.stop()
  // Errors of the child are emitted before the next turn of the event loop ends.
  await new Promise((resolve) => setImmediate(resolve))
  await new Promise((resolve) => setImmediate(resolve))
  expect(worker.pid).toBeUndefined()
  expect(faults).toEqual([])
})

const secret = 'a secret of thirty-two characters'
const { recipient } = await makeKey()

/** The messages of a process that makes a backup of a new installation. */
async function messagesOf(prepare: (connection: pg.ClientConfig) => Promise<void> = async () => {}) {
  const place = await mkdtemp(join(tmpdir(), 'pult-worker-'))
  onTestFinished(() => rm(place, { recursive: true }))
  const { config, dataFolder, testDatabase } = await testServer({
    secret,
    settings: {
      PULT_SECRET: secret,
      BACKUP_FOLDER: place,
      BACKUP_RECIPIENT: `${recipient}.${createSigner(secret).fingerprint}`,
      BACKUP_SCHEDULE: 'off',
    },
  })
  await prepare(testDatabase.connection)
  const { connection } = testDatabase
  const received: WorkerMessage[] = []
  const order = { config, dataFolder, connection, withDrill: false, verifiesStored: false }
  await runWorker(order, (message) => received.push(message)).ended
  return received
}

test('the process reports that it uses the place of the backups, besides its progress', async () => {
  const kinds = (await messagesOf()).map(({ kind }) => kind)
  expect(kinds).toContain('alive')
  expect(kinds.at(-1)).toBe('made')
})

test('the process distinguishes another backup of the installation from a failure', async () => {
  const messages = await messagesOf(async (connection) => {
    const client = new pg.Client(connection)
    await client.connect()
    onTestFinished(() => client.end())
    await client.query(`select pg_advisory_lock(hashtextextended('pult backup', 0))`)
  })
  expect(messages.at(-1)).toEqual({
    kind: 'concurrent',
    reason: 'another backup of this installation is being made',
  })
  expect(messages.filter(({ kind }) => kind === 'failed')).toEqual([])
})
