import { setTimeout as sleep } from 'node:timers/promises'
import type { RunningServer } from './postmaster.ts'
import { limitServerLog } from './server-log.ts'

export interface SupervisionOptions {
  running: RunningServer
  isReachable: (running: RunningServer) => Promise<boolean>
  relaunch: (signal: AbortSignal) => Promise<RunningServer>
  logFile: string
  /** Receives lines for the operator. Those about a fault have a level. */
  log: (line: string, level?: 'warn') => void
}

/** Milliseconds between two checks, which restart a dead server within seconds and cost little while it runs. */
const checkInterval = 200
const firstPause = 100
/** Short enough to recover soon after the cause, such as a full disk, is gone. */
const longestPause = 2_000
/** A server that ran for this long did not fail during its start. */
const steadyAfter = 10_000
const repeatAfter = 60_000
const logLimitInterval = 60_000

/** Watches the server and restarts it after it dies, until it is stopped. */
export function supervise({ running, isReachable, relaunch, logFile, log }: SupervisionOptions) {
  const stopping = new AbortController()
  const { signal } = stopping
  let current = running
  let aliveSince = performance.now()
  let pause = 0
  let lastReport = { message: '', at: 0 }

  /** Logs a repeated message at most once a minute. */
  function report(message: string): void {
    const now = performance.now()
    if (message === lastReport.message && now - lastReport.at < repeatAfter) return
    lastReport = { message, at: now }
    log(`Database: ${message}. Trying again.`, 'warn')
  }

  async function watch(): Promise<void> {
    let checkedLogAt = performance.now()
    for (;;) {
      // Supervision alone must not keep the process running.
      await sleep(checkInterval, undefined, { signal, ref: false })
      if (!(await isReachable(current))) await restart()
      if (performance.now() - checkedLogAt > logLimitInterval) {
        checkedLogAt = performance.now()
        await limitServerLog(logFile).catch((error: unknown) =>
          report(`its log cannot be shortened: ${String(error)}`),
        )
      }
    }
  }

  async function restart(): Promise<void> {
    const diedAt = performance.now()
    if (diedAt - aliveSince > steadyAfter) pause = 0
    log('Database: it is unreachable. Restarting it.', 'warn')
    for (;;) {
      if (pause > 0) await sleep(pause, undefined, { signal })
      pause = Math.min(Math.max(pause * 2, firstPause), longestPause)
      try {
        current = await relaunch(signal)
        break
      } catch (error) {
        signal.throwIfAborted()
        report(error instanceof Error ? error.message : String(error))
      }
    }
    aliveSince = performance.now()
    lastReport = { message: '', at: 0 }
    log(`Database: it is back after ${((aliveSince - diedAt) / 1000).toFixed(1)} s.`)
  }

  const watching = watch().catch((error: unknown) => {
    if (!signal.aborted) throw error
  })

  return {
    async stop(): Promise<void> {
      stopping.abort()
      await watching
    },
  }
}
