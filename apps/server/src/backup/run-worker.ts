import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { lowerPriority } from './low-priority.ts'
import type { BackupOrder, WorkerMessage } from './worker-messages.ts'

const file = fileURLToPath(new URL('./worker.ts', import.meta.url))

/** Variables that a program needs to run, and the form of its lines. Other settings and secrets are not among them. */
const passedOn = ['PATH', 'HOME', 'TMPDIR', 'TZ', 'LANG', 'LD_LIBRARY_PATH', 'LOG_FORMAT']

export interface RunningWorker {
  pid: number | undefined
  /** Resolves when the process has ended. */
  ended: Promise<void>
  stop(): void
  /** Ends the process immediately. It leaves its scratch database. */
  kill(): void
}

/** Starts the process that makes a backup. It ends with this one. */
export function runWorker(order: BackupOrder, onMessage: (message: WorkerMessage) => void): RunningWorker {
  const child = fork(file, {
    execArgv: [],
    env: Object.fromEntries(passedOn.map((name) => [name, process.env[name]])),
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // In its own session, so that the server does not share the low priority.
    detached: true,
  })
  if (child.pid !== undefined) void lowerPriority(child.pid)
  child.on('message', onMessage)
  child.send(order)
  return {
    pid: child.pid,
    ended: new Promise((resolve) => {
      child.once('exit', () => resolve())
      // A process that cannot start also fails to receive its order.
      child.on('error', () => resolve())
    }),
    stop: () => child.kill('SIGTERM'),
    kill: () => child.kill('SIGKILL'),
  }
}
