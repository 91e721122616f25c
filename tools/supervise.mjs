import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { logLine } from '../apps/server/src/platform/log-line.mjs'

/*
 * Plain JavaScript: this process lives as long as the server, and a type-stripping loader would occupy 20 MB.
 */

/** The exit code of apps/server/src/platform/start-fault.ts: the operator must change something. */
const startFault = 78

/**
 * Runs a Node program and restarts it when it is killed or crashes. The program sends a message once it is ready.
 * Forwards signals and returns the exit code. Does not repeat a failed first start, because the program has reported
 * the reason, and never a start that only the operator can fix.
 *
 * @param {string[]} args
 * @param {{ pauses?: number[], steadyAfter?: number }} [options] milliseconds: the pauses before consecutive restarts,
 *   and the run time after which a restart is no longer consecutive
 * @returns {Promise<number>}
 */
export async function supervise(
  args,
  { pauses = [1000, 2000, 4000, 8000, 16_000], steadyAfter = 60_000 } = {},
) {
  const stopping = new AbortController()
  /** @type {import('node:child_process').ChildProcess | undefined} */
  let child
  for (const name of /** @type {const} */ (['SIGTERM', 'SIGINT', 'SIGHUP'])) {
    process.on(name, () => {
      stopping.abort()
      child?.kill(name)
    })
  }

  let wasReady = false
  let inRow = 0
  for (;;) {
    const startedAt = performance.now()
    child = spawn(process.execPath, args, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
    child.once('message', () => (wasReady = true))
    const [code, signal] = await once(child, 'exit')
    if (stopping.signal.aborted || code === 0) return code ?? 1
    if (code === startFault || (!wasReady && code !== null)) return code

    inRow = performance.now() - startedAt < steadyAfter ? inRow + 1 : 1
    const pause = pauses[inRow - 1]
    const end = signal === null ? `with exit code ${code}` : `by ${signal}`
    if (pause === undefined) {
      const line = `Pult ended ${inRow} times in a row, most recently ${end}. It will not restart.`
      process.stderr.write(logLine('fatal', line))
      return 1
    }
    process.stderr.write(logLine('error', `Pult ended ${end}. It will restart in ${pause / 1000} s.`))
    await delay(pause, undefined, { signal: stopping.signal }).catch(() => {})
    if (stopping.signal.aborted) return 0
  }
}
