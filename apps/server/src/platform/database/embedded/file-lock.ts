import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'

const sqliteBusy = 5

/**
 * File locks that the kernel releases when their holder dies. Node has no `flock`. SQLite, which is part of Node,
 * uses the same kind of lock for its transactions, so an empty SQLite file serves as the lock.
 *
 * Closing any other descriptor of a locked file in the same process would release the lock: no other code may open
 * these files.
 */
export interface FileLock {
  /** Idempotent. */
  release(): void
}

export function tryExclusiveLock(path: string): FileLock | undefined {
  return tryLock(path, ['BEGIN EXCLUSIVE'])
}

/** Acquires a shared lock, which excludes only the exclusive one. */
export function trySharedLock(path: string): FileLock | undefined {
  return tryLock(path, ['BEGIN', 'SELECT count(*) FROM sqlite_schema'])
}

function tryLock(path: string, statements: string[]): FileLock | undefined {
  const file = new DatabaseSync(path, { timeout: 0 })
  try {
    // A journal on disk would need space on a full disk. No transaction is ever committed.
    file.exec('PRAGMA journal_mode = MEMORY')
    for (const statement of statements) file.exec(statement)
    return { release: () => file.isOpen && file.close() }
  } catch (error) {
    file.close()
    if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy) return undefined
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(
      `the file ${path} cannot be locked (${reason}): the data folder must be on a local disk`,
      {
        cause: error,
      },
    )
  }
}

const pollInterval = 20
const patience = 3_000

export interface WaitOptions {
  signal?: AbortSignal | undefined
  /** Called once when another process holds the lock for longer than usual. */
  onLongWait: () => void
  /** Milliseconds after which waiting fails. */
  limit: number
}

/** Runs `task` while no other process runs one under the same lock file. */
export async function withExclusiveLock<T>(
  path: string,
  { signal, onLongWait, limit }: WaitOptions,
  task: () => Promise<T>,
): Promise<T> {
  const start = performance.now()
  let isReported = false
  let lock = tryExclusiveLock(path)
  while (lock === undefined) {
    const waited = performance.now() - start
    if (waited > limit) throw new Error(`another process holds ${path} for more than ${limit / 1000} s`)
    if (waited > patience && !isReported) {
      isReported = true
      onLongWait()
    }
    await sleep(pollInterval, undefined, { signal })
    lock = tryExclusiveLock(path)
  }
  try {
    return await task()
  } finally {
    lock.release()
  }
}
