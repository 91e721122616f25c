import { spawnSync } from 'node:child_process'
import { ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { writeLog } from './agent-log.ts'
import { childEnvironment } from './child-environment.ts'
import { startFault } from './run-program.ts'
import { reasonOf } from './state.ts'

/** Milliseconds between two attempts. */
const attemptEvery = 5000

/** Milliseconds for one attempt. A network share whose server is gone never answers. */
const attemptTimeout = 10_000

/**
 * Locks the state folder until this process ends, so that no second agent runs its programs. Waits while another
 * process has the lock. The kernel releases the lock of a killed process, also in another container or, on a network
 * share, on another machine. An agent that cannot lock the folder runs without a lock.
 */
export async function lockState(folder: string): Promise<void> {
  const file = join(folder, 'lock')
  try {
    // Never closed: the lock ends with the last descriptor.
    const lock = openSync(file, 'a+', 0o600)
    for (let isFirst = true; !tryLock(lock); isFirst = false) {
      if (isFirst)
        writeLog(
          `Another agent uses ${folder}: ${holderOf(file)}. This agent waits until that process has ended`,
        )
      await sleep(attemptEvery)
    }
    noteHolder(lock)
  } catch (error) {
    writeLog(
      `${file} cannot be locked, so the agent does not notice a second one with this folder: ${reasonOf(error)}`,
    )
  }
}

/** Returns false if another process has the lock. Node has no call for a lock. The program shares the descriptor. */
function tryLock(lock: number): boolean {
  const { status, stderr, error } = spawnSync('flock', ['-n', '3'], {
    stdio: ['ignore', 'ignore', 'pipe', lock],
    env: childEnvironment(),
    timeout: attemptTimeout,
    encoding: 'utf8',
  })
  if (error !== undefined) throw new Error(startFault(error, 'flock'))
  if (status === 0) return true
  // The program prints a line about each fault, but not about a lock of another process.
  if (status === 1 && stderr === '') return false
  throw new Error(stderr.trim() || `flock exited with code ${status}`)
}

function noteHolder(lock: number): void {
  try {
    ftruncateSync(lock)
    writeSync(lock, `process ${process.pid} on ${hostname()}`)
  } catch {
    // A full disk: only the message of a second agent needs it.
  }
}

function holderOf(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim() || 'an unknown process'
  } catch {
    return 'an unknown process'
  }
}
