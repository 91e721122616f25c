import { type ChildProcess, fork } from 'node:child_process'
import { z } from '@pult/contract'
import { writeLog } from './agent-log.ts'
import { type ExitCode, exitCodes } from './exit-codes.ts'
import { createInstalled } from './installed.ts'
import { reasonOf, takeNextState } from './state.ts'

/** Marks the second process as the worker. */
export const workerMark = 'PULT_EDGE_WORKER'

/** Marks a worker whose file is on trial. */
export const trialMark = 'PULT_EDGE_TRIAL'

/** The installed file. The worker loads the driver of Stream Decks from its folder. */
export const installedAt = 'PULT_EDGE_INSTALLED'

const firstPause = 1000
const longestPause = 60_000

/** A worker that ran this long was healthy, so the failure count restarts. */
const wellAfter = 60_000

/** Milliseconds in which a new file must be admitted and have its report accepted. */
const usualTrialTime = 60_000

/** Milliseconds in which a worker ends its programs, which have ten seconds, and itself. */
const usualStopTime = 15_000

const final = new Set<number>(
  Object.values(exitCodes).filter((code) => code !== exitCodes.restart && code !== exitCodes.fault),
)

/** Messages of the worker. Later versions of the worker must send the same. */
const workerMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('healthy') }),
  /** The server has admitted or refused the worker. Earlier workers send it when a connection has opened. */
  z.object({ type: z.literal('reached') }),
  /** A stored and verified file. The worker ends after the supervisor has answered. */
  z.object({ type: z.literal('try'), version: z.string(), sha256: z.string() }),
])

interface Supervised {
  /** The installed file and its version. */
  file: string
  version: string
  args: readonly string[]
  stateFolder: string
  /** Resolves when the enrolment has ended: whether this machine is another edge now, so that the worker restarts. */
  replaced?: Promise<boolean>
  /** Milliseconds until a new file must be healthy, and then until it must have ended. */
  trialTime?: number
  stopTime?: number
}

/**
 * Keeps the worker process running, however the agent was started. A newer file in the state folder runs instead of
 * the installed one, and is on trial until it has been healthy. Returns the exit code.
 */
export async function supervise({
  file,
  version,
  args,
  stateFolder,
  replaced,
  trialTime = usualTrialTime,
  stopTime = usualStopTime,
}: Supervised): Promise<ExitCode> {
  const installed = createInstalled(stateFolder, version)
  let child: ChildProcess | undefined
  const stopping = new AbortController()
  /** Whether the former file runs until the server answers, because the trial did not reach it. */
  let isTrialPostponed = false
  /** Whether the worker ends because this machine is another edge now. */
  let isReplaced = false
  void replaced?.then((isAnother) => {
    isReplaced = isAnother && child?.kill('SIGTERM') === true
  })
  let wake: (() => void) | undefined
  // A closed terminal sends SIGHUP to both processes.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => {
      stopping.abort()
      child?.kill('SIGTERM')
      wake?.()
    })

  /** Runs the worker until it ends. */
  async function run(chosen: Awaited<ReturnType<typeof installed.choose>>) {
    const isTrial = chosen?.isTrial === true
    let started: ChildProcess
    try {
      started = fork(chosen?.path ?? file, args, {
        env: { ...process.env, [workerMark]: '1', [installedAt]: file, [trialMark]: isTrial ? '1' : '0' },
      })
    } catch (error) {
      writeLog(`The agent cannot start: ${reasonOf(error)}`)
      return { code: null, isHealthy: true, isLate: false, hasReached: false }
    }
    child = started
    let isHealthy = !isTrial
    let work: Promise<void> = Promise.resolve()
    let isLate = false
    let hasReached = false
    let killTimer: NodeJS.Timeout | undefined
    const timer = setTimeout(() => {
      if (isHealthy) return
      isLate = true
      // A killed worker would leave its programs, and they would conflict with those of the former file.
      started.kill('SIGTERM')
      killTimer = setTimeout(() => started.kill('SIGKILL'), stopTime)
    }, trialTime)
    started.on('message', (raw) => {
      const message = workerMessage.safeParse(raw).data
      // A late trial that reports while it ends would count as stopped by a user.
      if (message === undefined || isLate) return
      if (message.type === 'reached') {
        hasReached = true
        // The network is back for the postponed trial.
        if (isTrialPostponed) started.kill('SIGTERM')
        return
      }
      if (message.type === 'healthy') isHealthy = true
      work = work
        .then(() => (message.type === 'healthy' ? installed.accept() : installed.tryNext(message)))
        .then(
          () => 'done',
          (error: unknown) => `The new agent could not be saved: ${reasonOf(error)}`,
        )
        .then((answer) => void (started.connected && started.send(answer)))
    })
    const code = await new Promise<number | null>((resolve) => {
      started.on('exit', resolve)
      started.on('error', (error) => {
        // A message or a signal may also have failed, and the worker runs on.
        if (started.pid !== undefined) return
        writeLog(`The agent cannot start: ${reasonOf(error)}`)
        resolve(null)
      })
    })
    clearTimeout(timer)
    clearTimeout(killTimer)
    await work
    return { code, isHealthy, isLate, hasReached }
  }

  let pause = firstPause
  while (!stopping.signal.aborted) {
    const from = performance.now()
    const chosen = await installed.choose({ isTrialPostponed })
    await takeNextState(stateFolder).catch((error: unknown) => writeLog(reasonOf(error)))
    const { code, isHealthy, isLate, hasReached } = await run(chosen)
    if (stopping.signal.aborted) break
    if (isReplaced) {
      isReplaced = false
      continue
    }
    if (isTrialPostponed && hasReached) {
      isTrialPostponed = false
      continue
    }
    // A modem can dial for minutes: without a network, no version can report.
    if (!isHealthy && isLate && !hasReached) {
      writeLog(
        `Agent ${chosen?.version} has not reached the server after ${Math.round(trialTime / 1000)} s. The former agent runs until the server answers`,
      )
      isTrialPostponed = true
      continue
    }
    if (!isHealthy) {
      const end = code === null ? 'was killed' : `exited with code ${code}`
      const reason = isLate
        ? `It was not admitted or had not reported after ${Math.round(trialTime / 1000)} s`
        : `It ${end} before it had reported`
      writeLog(`Agent ${chosen?.version} failed and is not used: ${reason}`)
      await installed.reject(reason).catch((error: unknown) => writeLog(reasonOf(error)))
      continue
    }
    if (code !== null && final.has(code)) return code as ExitCode
    if (code === exitCodes.restart) continue
    if (performance.now() - from > wellAfter) pause = firstPause
    writeLog(`The agent failed and restarts in ${pause / 1000} s`)
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
