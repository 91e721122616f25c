import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runWorker } from './run-worker.ts'
import type { BackupOrder } from './worker-messages.ts'

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
