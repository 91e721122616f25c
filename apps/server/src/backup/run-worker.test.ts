import { expect, onTestFinished, test } from 'vitest'
import { runWorker } from './run-worker.ts'
import type { BackupOrder } from './worker-messages.ts'

test('a process that cannot start, such as after an update of Node, ends the backup and not the server', async () => {
  const { execPath } = process
  const faults: unknown[] = []
  const hear = (fault: unknown) => faults.push(fault)
  process.on('uncaughtExceptionMonitor', hear)
  onTestFinished(() => void process.off('uncaughtExceptionMonitor', hear))
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
