import { expect, onTestFinished, test } from 'vitest'
import { runWorker } from './run-worker.ts'
import type { BackupOrder } from './worker-messages.ts'

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
