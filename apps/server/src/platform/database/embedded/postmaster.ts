import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Binaries } from './binaries.ts'
import { type Answer, askServer, connectionTo, type EmbeddedConnection } from './connection.ts'
import type { DataFolder } from './data-folder.ts'
import { readPidFile } from './pid-file.ts'
import { isPostmaster, trySignal } from './processes.ts'
import type { ServerUser } from './program.ts'
import { asUser, programEnvironment } from './program.ts'
import { openServerLog, readFailure } from './server-log.ts'
import type { SettingsFiles } from './settings-file.ts'

export interface RunningServer {
  pid: number
  connection: EmbeddedConnection
}

export interface LaunchOptions {
  folder: DataFolder
  binaries: Binaries
  files: SettingsFiles
  socketFolder: string
  user: ServerUser | undefined
}

/** A server process that may still be starting. */
export interface Launched {
  /** Undefined if the program could not be started. */
  pid: number | undefined
  /** Returns the reason of its exit, after it has ended. */
  failure(): Promise<string>
}

export async function launchPostmaster(options: LaunchOptions): Promise<Launched> {
  const { folder, binaries, files, socketFolder, user } = options
  const serverLog = await openServerLog(folder.log)
  try {
    const { size: offset } = await serverLog.stat()
    const child = spawn(
      join(binaries.folder, 'postgres'),
      [
        '-D',
        folder.cluster,
        `--config_file=${files.settings}`,
        `--hba_file=${files.access}`,
        // On the command line, because ALTER SYSTEM could change the file, and connections are trusted.
        '--listen_addresses=',
        `--unix_socket_directories=${quoted(socketFolder)}`,
      ],
      {
        ...asUser(user),
        // A separate session: this process handles Ctrl+C in the terminal.
        detached: true,
        cwd: '/',
        env: programEnvironment(),
        stdio: ['ignore', serverLog.fd, serverLog.fd],
      },
    )
    let spawnError: Error | undefined
    child.once('error', (error) => {
      spawnError = error
    })
    child.unref()
    return {
      pid: child.pid,
      failure: async () =>
        spawnError?.message ?? (await readFailure(folder.log, offset)) ?? 'it exited immediately',
    }
  } finally {
    await serverLog.close()
  }
}

/** The setting is a list, so a comma in the path must be quoted. */
const quoted = (folder: string) => `"${folder.replaceAll('"', '""')}"`

const pollInterval = 10
const patience = 5_000
/**
 * Milliseconds: enough for the recovery after a crash, which replays at most a few hundred MB, even on slow storage.
 */
const readyLimit = 900_000
/** Milliseconds of the same answer after which a server is unreachable. A busy machine may delay several answers. */
const unreachableLimits: Record<Exclude<Answer, 'accepts'>, number> = {
  'not yet': Infinity,
  late: 60_000,
  'no answer': 2_000,
}

export interface ReadyOptions {
  signal: AbortSignal
  onLongWait: () => void
}

/** Waits until the postmaster accepts connections: 'gone' if it ended, 'unreachable' if its socket was removed. */
export async function waitUntilReady(
  pid: number,
  cluster: string,
  { signal, onLongWait }: ReadyOptions,
): Promise<RunningServer | 'gone' | 'unreachable'> {
  const start = performance.now()
  let isReported = false
  let last: { answer: Exclude<Answer, 'accepts'>; since: number } | undefined
  while (performance.now() - start < readyLimit) {
    const pidFile = await readPidFile(cluster)
    if (pidFile?.pid === pid && pidFile.status === 'ready') {
      const connection = connectionTo(pidFile.socketFolder, pidFile.port)
      const answer = await askServer(connection)
      if (answer === 'accepts') return { pid, connection }
      if (answer !== last?.answer) last = { answer, since: performance.now() }
    }
    if (!(await isPostmaster(pid, cluster))) return 'gone'
    if (last !== undefined && performance.now() - last.since > unreachableLimits[last.answer])
      return 'unreachable'
    if (performance.now() - start > patience && !isReported) {
      isReported = true
      onLongWait()
    }
    await sleep(pollInterval, undefined, { signal })
  }
  throw new Error(`the database in ${cluster} is not ready after ${readyLimit / 1000} s`)
}

/** First an orderly stop. After an immediate one, the next start recovers without loss. */
const waysToStop: [NodeJS.Signals, number][] = [
  ['SIGINT', 5_000],
  ['SIGQUIT', 7_000],
  ['SIGKILL', 1_000],
]

export async function stopPostmaster(pid: number, cluster: string): Promise<void> {
  for (const [signal, limit] of waysToStop) {
    const start = performance.now()
    trySignal(pid, signal)
    while (performance.now() - start < limit) {
      if (!(await isPostmaster(pid, cluster))) return
      await sleep(pollInterval)
    }
  }
  throw new Error(`the database in ${cluster} does not stop (process ${pid})`)
}
