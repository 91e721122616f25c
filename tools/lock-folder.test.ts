import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withLock } from './lock-folder.mjs'

// Several test runs of one clone may run concurrently.
const nameOf = (purpose: string) => `test-${purpose}-${process.pid}`
const enter = () => Promise.resolve('entered')

function runKilledHolder(name: string, sharedWith: number | undefined) {
  const holder = `
    const { withLock } = await import(${JSON.stringify(join(import.meta.dirname, 'lock-folder.mjs'))})
    await withLock(${JSON.stringify(name)}, { timeoutSeconds: 5 }, ({ shareWith }) => {
      if (${sharedWith}) shareWith(${sharedWith})
      process.kill(process.pid, 'SIGKILL')
    })`
  const { signal } = spawnSync(process.execPath, ['--input-type=module', '-e', holder])
  expect(signal).toBe('SIGKILL')
}

test('only one process holds the lock at a time', async () => {
  let inside = 0
  let most = 0
  const visit = () =>
    withLock(nameOf('one'), { timeoutSeconds: 20 }, async () => {
      most = Math.max(most, ++inside)
      await new Promise((resolve) => setTimeout(resolve, 20))
      inside--
    })
  await Promise.all([visit(), visit(), visit()])
  expect(most).toBe(1)
})

test('the lock of a killed process is taken over', async () => {
  runKilledHolder(nameOf('killed'), undefined)
  expect(await withLock(nameOf('killed'), { timeoutSeconds: 2 }, enter)).toBe('entered')
})

test('a child that outlives its killed holder keeps the lock', async () => {
  const child = spawn('sleep', ['30'])
  runKilledHolder(nameOf('shared'), child.pid)
  await expect(withLock(nameOf('shared'), { timeoutSeconds: 0.3 }, enter)).rejects.toThrow(
    'another process has held',
  )
  child.kill()
  expect(await withLock(nameOf('shared'), { timeoutSeconds: 5 }, enter)).toBe('entered')
})

test('a lock is released after its work has failed', async () => {
  const fail = () => Promise.reject(new Error('the work failed'))
  await expect(withLock(nameOf('failing'), { timeoutSeconds: 1 }, fail)).rejects.toThrow('the work failed')
  expect(await withLock(nameOf('failing'), { timeoutSeconds: 1 }, enter)).toBe('entered')
})
