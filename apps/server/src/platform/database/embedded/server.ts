import { setTimeout as sleep } from 'node:timers/promises'
import { type Binaries, findBinaries, type Sources } from './binaries.ts'
import { createCluster, readMajor, refuseForeignCluster } from './cluster.ts'
import { isListening } from './connection.ts'
import { type DataFolder, fullDiskMessage, isDiskFull, reportsFullDisk } from './data-folder.ts'
import { readPidFile, removePidFile, removeSocketLock } from './pid-file.ts'
import { removeUnusedCopies } from './platform-package.ts'
import { launchPostmaster, type RunningServer, stopPostmaster, waitUntilReady } from './postmaster.ts'
import { findPostmaster, isPostmaster, killOrphans } from './processes.ts'
import type { ServerUser } from './program.ts'
import { clusterName, writeSettings } from './settings-file.ts'
import { chooseSocketFolder, hasSocket, removeShortSocketFolder } from './socket-folder.ts'

export interface ServerOptions {
  folder: DataFolder
  user: ServerUser | undefined
  log: (line: string) => void
  sources?: Sources | undefined
}

export interface EnsureOptions {
  /** Only a start may create a database. If its files vanish later, an empty one would look like total data loss. */
  mayCreate: boolean
  /** Whether an unreachable server may be stopped. */
  mayReplace: boolean
  signal: AbortSignal
}

const pauses = [100, 300, 600]

/**
 * Manages the PostgreSQL server of a data folder, even if another process started it. The caller holds the start lock.
 */
export function createServer({ folder, user, log, sources }: ServerOptions) {
  const { cluster } = folder
  let binaries: Binaries | undefined
  let socketFolder: string | undefined

  const ready = (signal: AbortSignal) => ({
    signal,
    onLongWait: () => log('Database: it is not ready yet and may be recovering from a crash. Waiting.'),
  })

  /** Attaches to the running server, or starts one. */
  async function ensureRunning(options: EnsureOptions): Promise<RunningServer> {
    for (let attempt = 0; ; attempt += 1) {
      const pid = await findLive(attempt === 0)
      const running = pid === undefined ? await start(options) : await attach(pid, options)
      if (typeof running !== 'string') {
        socketFolder = running.connection.host
        return running
      }
      const pause = pauses[attempt]
      if (pause === undefined) throw await startError(running)
      await sleep(pause, undefined, { signal: options.signal })
    }
  }

  /** Returns the running postmaster. If none runs, removes the leftovers of a killed one. */
  async function findLive(trustsAbsence: boolean): Promise<number | undefined> {
    const pidFile = await readPidFile(cluster)
    if (pidFile === undefined && trustsAbsence) return undefined
    if (pidFile?.pid !== undefined && (await isPostmaster(pidFile.pid, cluster))) return pidFile.pid
    const pid = await findPostmaster(cluster)
    if (pid !== undefined) return pid

    if (pidFile !== undefined && pidFile.socketFolder !== '') {
      if (await isListening(pidFile.socketFolder, pidFile.port)) {
        throw new Error(
          `the database in ${cluster} is in use by a PostgreSQL that runs outside this machine, perhaps in ` +
            'another container: set PULT_DATA to another folder, or DATABASE_URL',
        )
      }
    }
    await killOrphans(clusterName(folder), cluster)
    await removePidFile(cluster)
    return undefined
  }

  async function attach(pid: number, { mayReplace, signal }: EnsureOptions): Promise<RunningServer | string> {
    const running = await waitUntilReady(pid, cluster, ready(signal))
    if (running === 'gone') return 'it has just exited'
    if (running !== 'unreachable') return running
    if (!mayReplace) {
      throw new Error(
        `the database in ${cluster} runs (process ${pid}), but its socket cannot be reached from here`,
      )
    }
    await stopPostmaster(pid, cluster)
    return 'its socket is gone'
  }

  async function start({ mayCreate, signal }: EnsureOptions): Promise<RunningServer | string> {
    const major = await readMajor(folder)
    if (major === undefined && !mayCreate) throw new Error(`the database files in ${cluster} are gone`)
    binaries ??= await findBinaries(
      { stagingFolder: folder.server, user, existingMajor: major, log },
      sources,
    )
    if (major === undefined) {
      await createCluster(folder, binaries, user)
      const runsAs =
        user === undefined
          ? ''
          : ` and runs as the user ${user.name}, because PostgreSQL refuses to run as root`
      log(`Database: PostgreSQL ${binaries.version} stores its files in ${cluster}${runsAs}.`)
    } else await refuseForeignCluster(folder, major, binaries)

    const files = await writeSettings(folder, binaries)
    const socket = await chooseSocketFolder(folder, user, { previous: socketFolder })
    await removeSocketLock(socket)
    const launched = await launchPostmaster({ folder, binaries, files, socketFolder: socket, user })
    if (launched.pid === undefined) return launched.failure()
    const running = await untilReady(launched.pid, signal)
    if (typeof running === 'string') return launched.failure()
    await removeUnusedCopies(folder.server, binaries.folder)
    return running
  }

  /** Stops a server that this process started and cannot use. */
  async function untilReady(pid: number, signal: AbortSignal) {
    try {
      return await waitUntilReady(pid, cluster, ready(signal))
    } catch (error) {
      if (!signal.aborted) await stopPostmaster(pid, cluster)
      throw error
    }
  }

  async function startError(reason: string): Promise<Error> {
    if (reportsFullDisk(reason) || (await isDiskFull(folder.path))) {
      return new Error(fullDiskMessage(folder.path), { cause: reason })
    }
    return new Error(`the database in ${cluster} does not start: ${reason} (more in ${folder.log})`)
  }

  async function stop(): Promise<void> {
    const pidFile = await readPidFile(cluster)
    const isCurrent = pidFile?.pid !== undefined && (await isPostmaster(pidFile.pid, cluster))
    // A server that has just started may not have written its file yet.
    const pid = isCurrent ? pidFile.pid : await findPostmaster(cluster)
    if (pid !== undefined) await stopPostmaster(pid, cluster)
    if (pidFile !== undefined) await removeShortSocketFolder(folder, pidFile.socketFolder)
  }

  /** Returns whether the socket works. A clean-up of temporary files may remove the socket of a running server. */
  const isReachable = async ({ pid, connection }: RunningServer): Promise<boolean> =>
    (await hasSocket(connection.host, connection.port)) && isPostmaster(pid, cluster)

  return { ensureRunning, stop, isReachable }
}
export type Server = ReturnType<typeof createServer>
