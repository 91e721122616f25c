import type { Sources } from './binaries.ts'
import type { EmbeddedConnection } from './connection.ts'
import {
  type DataFolder,
  dataFolderError,
  errorCode,
  openDataFolder,
  openForServerUser,
} from './data-folder.ts'
import { type FileLock, tryExclusiveLock, trySharedLock, withExclusiveLock } from './file-lock.ts'
import { createServer } from './server.ts'
import { chooseServerUser } from './server-user.ts'
import { supervise } from './supervision.ts'
import { completeSwitch } from './switch.ts'

export { defaultDataFolder } from './data-folder.ts'

export interface EmbeddedDatabase {
  /** The connection settings of `pg`. They stay the same when the server restarts. */
  readonly connection: EmbeddedConnection
  /** Ends the use of the database. The last of all processes on this data folder stops the server. */
  stop(): Promise<void>
}

export interface EmbeddedDatabaseOptions {
  dataFolder: string
  /** Receives lines for the operator. Those about a fault have a level. */
  log: (line: string, level?: 'warn') => void
  /** Sources of PostgreSQL binaries; by default the installed package, then the system. */
  sources?: Sources
}

/** Another process may be creating the database or waiting for its recovery. */
export const startLockLimit = 960_000
const stopLockLimit = 5_000

const neverAborted = new AbortController().signal

/**
 * Starts PostgreSQL on a data folder, or attaches to the running one, and keeps it running until `stop`. Every error
 * is one line for the operator.
 */
export async function startEmbeddedDatabase(options: EmbeddedDatabaseOptions): Promise<EmbeddedDatabase> {
  const folder = await openDataFolder(options.dataFolder)
  try {
    return await startIn(folder, options)
  } catch (error) {
    throw errorCode(error) === '' ? error : await dataFolderError(folder.path, error)
  }
}

async function startIn(
  folder: DataFolder,
  { log, sources }: EmbeddedDatabaseOptions,
): Promise<EmbeddedDatabase> {
  const onLongWait = () => log(`Database: another process starts or stops it in ${folder.path}. Waiting.`)
  const { server, running, use } = await withExclusiveLock(
    folder.startLock,
    { limit: startLockLimit, onLongWait },
    async () => {
      await completeSwitch(folder)
      const user = await chooseServerUser(folder.cluster)
      if (user !== undefined) await openForServerUser(folder, user)
      const managed = createServer({ folder, user, log, sources })
      const isAlone = await whenAlone(folder, async () => {})
      const shared = registerProcess(folder)
      try {
        const ensuring = { mayCreate: true, mayReplace: isAlone, signal: neverAborted }
        return { server: managed, running: await managed.ensureRunning(ensuring), use: shared }
      } catch (error) {
        shared.release()
        throw error
      }
    },
  )

  const supervision = supervise({
    running,
    log,
    logFile: folder.log,
    isReachable: server.isReachable,
    relaunch: (signal) =>
      withExclusiveLock(folder.startLock, { limit: startLockLimit, onLongWait, signal }, () =>
        server.ensureRunning({ mayCreate: false, mayReplace: true, signal }),
      ),
  })

  async function stop(): Promise<void> {
    await supervision.stop()
    try {
      // Under the start lock no process can begin to use the database; a later one starts the server again.
      await withExclusiveLock(folder.startLock, { limit: stopLockLimit, onLongWait }, async () => {
        use.release()
        await whenAlone(folder, server.stop)
      })
    } finally {
      use.release()
    }
  }

  let stopped: Promise<void> | undefined
  return {
    connection: running.connection,
    stop: () => {
      stopped ??= stop()
      return stopped
    },
  }
}

/** Registers the process as a user of the database by a shared lock. */
function registerProcess(folder: DataFolder): FileLock {
  const lock = trySharedLock(folder.usersLock)
  if (lock === undefined) throw new Error(`another program locks ${folder.usersLock}`)
  return lock
}

/** Runs a task if no process uses the database. The caller holds the start lock. */
export async function whenAlone(folder: DataFolder, task: () => Promise<void>): Promise<boolean> {
  const lock = tryExclusiveLock(folder.usersLock)
  if (lock === undefined) return false
  try {
    await task()
    return true
  } finally {
    lock.release()
  }
}
