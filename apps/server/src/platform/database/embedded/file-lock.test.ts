import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { tryExclusiveLock, trySharedLock, withExclusiveLock } from './file-lock.ts'
import { temporaryFolder } from './testing/temporary-folder.ts'

const lockFile = async () => {
  const path = join(await temporaryFolder(), 'lock')
  await writeFile(path, '')
  return path
}

it('a lock is held exclusively by one process or shared by many', async () => {
  const path = await lockFile()
  const exclusive = tryExclusiveLock(path)
  expect(tryExclusiveLock(path)).toBeUndefined()
  expect(trySharedLock(path)).toBeUndefined()
  // A full disk has no space for more files.
  expect(await readdir(dirname(path))).toEqual(['lock'])
  exclusive?.release()
  exclusive?.release()

  const [one, two] = [trySharedLock(path), trySharedLock(path)]
  expect(one && two).toBeDefined()
  one?.release()
  expect(tryExclusiveLock(path)).toBeUndefined()
  two?.release()
  expect(tryExclusiveLock(path)).toBeDefined()
})

it('a lock is released when its holder is killed', async () => {
  const path = await lockFile()
  const module = new URL('file-lock.ts', import.meta.url).href
  const program = `import(${JSON.stringify(module)}).then(({ tryExclusiveLock }) => {
    globalThis.lock = tryExclusiveLock(${JSON.stringify(path)})
    console.log('locked')
    setInterval(() => {}, 1000)
  })`
  const holder = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(holder.stdout, 'data')
  expect(tryExclusiveLock(path)).toBeUndefined()
  holder.kill('SIGKILL')
  await once(holder, 'exit')
  expect(tryExclusiveLock(path)).toBeDefined()
})

it('tasks run one at a time; a long wait is reported and fails at its limit', async () => {
  const path = await lockFile()
  const waits = { limit: 1_000, onLongWait: () => {} }
  let running = 0
  const task = async () => {
    running += 1
    expect(running).toBe(1)
    await new Promise((resolve) => setTimeout(resolve, 30))
    running -= 1
  }
  await Promise.all([1, 2, 3].map(() => withExclusiveLock(path, waits, task)))

  const held = tryExclusiveLock(path)
  await expect(withExclusiveLock(path, { ...waits, limit: 50 }, task)).rejects.toThrow(
    /another process holds/,
  )
  held?.release()
  await withExclusiveLock(path, waits, task)
})

it('errors other than a held lock are rethrown', async () => {
  const path = await lockFile()
  await writeFile(path, 'not what it was'.repeat(100))
  expect(() => tryExclusiveLock(path)).toThrow(/cannot be locked \(file is not a database\)/)
})
