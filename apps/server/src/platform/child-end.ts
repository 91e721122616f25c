import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

/** Milliseconds for the output that was written before the exit. Another process may hold the pipes for ever. */
const outputTime = 1000

/**
 * Resolves when a process has exited and its output has been read. Processes that it leaves behind may keep its output
 * open, and do not count. Rejects if the program could not be started.
 */
export async function endOf(
  child: ChildProcess,
): Promise<{ code: number | null; signal: NodeJS.Signals | null }> {
  const isClosed = new Promise((resolve) => child.once('close', resolve))
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
  await Promise.race([isClosed, sleep(outputTime, undefined, { ref: false })])
  child.stdout?.destroy()
  child.stderr?.destroy()
  return { code, signal }
}
