import { type ChildProcess, fork } from 'node:child_process'
import { type ExitCode, exitCodes } from './exit-codes.ts'
import { say } from './say.ts'

/** Tells the second process what it is. */
export const workerMark = 'PULT_EDGE_WORKER'

const firstPause = 1000
const longestPause = 60_000

/** One that has worked for so long was well: its failure is counted anew. */
const wellAfter = 60_000

const final = new Set<number>(
  Object.values(exitCodes).filter((code) => code !== exitCodes.restart && code !== exitCodes.fault),
)

/** Keeps the process that does the work running, however this agent was started. Answers how to end. */
export async function supervise(file: string, args: readonly string[]): Promise<ExitCode> {
  let child: ChildProcess | undefined
  const stopping = new AbortController()
  let wake: (() => void) | undefined
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => {
      stopping.abort()
      child?.kill('SIGTERM')
      wake?.()
    })

  let pause = firstPause
  while (!stopping.signal.aborted) {
    const from = performance.now()
    const started = fork(file, args, { env: { ...process.env, [workerMark]: '1' } })
    child = started
    const code = await new Promise<number | null>((resolve) => {
      started.on('exit', resolve)
      started.on('error', () => resolve(null))
    })
    if (stopping.signal.aborted) break
    if (code !== null && final.has(code)) return code as ExitCode
    if (code === exitCodes.restart) continue
    if (performance.now() - from > wellAfter) pause = firstPause
    say(`The agent has failed and starts anew in ${pause / 1000} s`)
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pause)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    pause = Math.min(pause * 2, longestPause)
  }
  return exitCodes.stopped
}
