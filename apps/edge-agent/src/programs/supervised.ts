import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { Readable } from 'node:stream'
import type { EdgeProgram, EdgeReport } from '@pult/contract'
import { writeLog } from '../agent-log.ts'
import { childEnvironment } from '../child-environment.ts'
import { type OutputLine, readLines } from '../output-lines.ts'
import { printable } from '../report.ts'
import { killGroup, silenceOf, startFault } from '../run-program.ts'
import { findSilent } from '../silent-paths.ts'
import { reasonOf } from '../state.ts'
import type { LogStore } from './log-store.ts'
import type { LogText } from './log-text.ts'
import { memoryOfGroup } from './memory.ts'
import { membersOf } from './process-group.ts'
import type { ProgramNotes } from './program-notes.ts'

/** A program that the agent starts, and restarts after its end. */
export interface SupervisedSettings {
  key: string
  label: string
  run: readonly string[]
  folder?: string | undefined
  environment?: Readonly<Record<string, string>> | undefined
  /** Memory limit of all its processes, in MiB. */
  memory?: number | undefined
}

export interface Pauses {
  /** Milliseconds before the first restart, and the longest pause. */
  first: number
  longest: number
  /** A program that ran this long was healthy, so the next pause is the first one again. */
  well: number
  /**
   * After a failure, a program counts as running only after this time. A program that always exits immediately never
   * does.
   */
  steady: number
  /** Milliseconds between SIGTERM and SIGKILL. */
  stop: number
  /** Milliseconds between two checks of the memory. */
  memory: number
}

const usualPauses: Pauses = {
  first: 1000,
  longest: 60_000,
  well: 60_000,
  steady: 10_000,
  stop: 10_000,
  memory: 5000,
}

/** A program that writes more lines than this in a second must wait for the next second. */
const linesPerSecond = 10_000

/** Milliseconds for which the output of a process outside the group is read after the end of the program. */
const lastOutput = 500

/** Milliseconds between two looks for the processes of a program that is being stopped. */
const groupEvery = 100

type State = EdgeReport['instances'][number]['state']

interface SupervisedParts {
  settings: SupervisedSettings
  log: LogStore
  logText: LogText
  notes: ProgramNotes
  pauses?: Partial<Pauses>
}

/** Keeps one program running, in its own process group, which is killed when the program ends. */
export function createSupervised({ settings, log, logText, notes, pauses }: SupervisedParts) {
  const { key, label, run, folder, environment, memory } = settings
  const times = { ...usualPauses, ...pauses }
  let child: ChildProcess | undefined
  let startedAt = 0
  /** When it last stopped running steadily. */
  let stoppedAt = performance.now()
  /** Whether it should run. */
  let shouldRun = false
  /** When a program that is being stopped is killed. */
  let killAt = 0
  /** Number of consecutive exits since it was last healthy. */
  let failures = 0
  let restarts = 0
  let lastExit: EdgeProgram['lastExit'] = null
  /** Why the agent kills it. */
  let reason: string | null = null
  let againTimer: NodeJS.Timeout | undefined
  /** Resolves when a start that was asked for has been made. */
  let starting: Promise<void> | undefined
  let memoryTimer: NodeJS.Timeout | undefined
  /** Resolves when the output of the last process has been read and its start is on the disk. */
  let output: Promise<unknown> = Promise.resolve()
  let noted: Promise<void> = Promise.resolve()
  let onEnd: (() => void) | undefined
  let work: Promise<unknown> = Promise.resolve()

  const note = (text: string) => log.add(logText(`[agent] ${text}`, new Date()))

  function kill(signal: NodeJS.Signals): void {
    if (child !== undefined) killGroup(child, signal)
  }

  function notStarted(error: unknown): NonNullable<EdgeProgram['lastExit']> {
    const isWithoutFolder = folder !== undefined && !existsSync(folder)
    const fault = isWithoutFolder ? `The folder ${folder} does not exist` : startFault(error, run[0] ?? '')
    return { code: null, signal: null, reason: printable(fault, 100) }
  }

  function launch(): Promise<void> {
    clearTimeout(againTimer)
    starting ??= findSilent([folder, run[0]]).then((silent) => {
      starting = undefined
      // A user may have stopped it meanwhile.
      if (!shouldRun) return
      startedAt = performance.now()
      if (silent === undefined) launchNow()
      else ended({ code: null, signal: null, reason: printable(silenceOf(silent), 100) })
    })
    return starting
  }

  function launchNow(): void {
    const [file = '', ...args] = run
    reason = null
    let second = Math.floor(startedAt / 1000)
    let lines = 0
    let started: ChildProcess
    try {
      started = spawn(file, args, {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: childEnvironment(environment),
        ...(folder !== undefined && { cwd: folder }),
        detached: true,
        windowsHide: true,
      })
    } catch (error) {
      return ended(notStarted(error))
    }
    child = started
    const onLine = ({ text, dropped }: OutputLine) => {
      lines += 1
      log.add(logText(text, new Date(), dropped))
    }
    const onChunk = async () => {
      const now = performance.now()
      if (Math.floor(now / 1000) !== second) {
        second = Math.floor(now / 1000)
        lines = 0
      } else if (lines > linesPerSecond) await new Promise((go) => setTimeout(go, (second + 1) * 1000 - now))
      await log.drained()
    }
    // A process that could not be started may have no streams.
    const streams = [started.stdout, started.stderr].filter((stream) => stream instanceof Readable)
    output = Promise.all(
      streams.map((stream) => readLines(stream, { onLine, onChunk, showsUnfinished: true })),
    )
    let isOver = false
    const over = async (exit: NonNullable<EdgeProgram['lastExit']>) => {
      if (isOver) return
      isOver = true
      // A shell that was stopped ends before the program that it has started, which has the rest of the time.
      if (!shouldRun && started.pid !== undefined) await groupEnd(started.pid, killAt)
      // Remaining processes of the program would conflict with the next ones.
      kill('SIGKILL')
      setTimeout(() => {
        for (const stream of streams) stream.destroy()
      }, lastOutput)
      ended(exit)
    }
    started.on('spawn', () => {
      note(`Started, process ${started.pid}`)
      noted = noted.then(() => notes.started(key, started.pid ?? 0))
    })
    started.on('exit', (code, signal) => void over({ code, signal, reason }))
    started.on('error', (error) => {
      // The system may also have refused a signal to a running process.
      if (started.pid === undefined) void over(notStarted(error))
    })
    watchMemory(started)
  }

  function watchMemory(started: ChildProcess): void {
    if (memory !== undefined) memoryTimer = setTimeout(() => void checkMemory(started, memory), times.memory)
  }

  async function checkMemory(started: ChildProcess, most: number): Promise<void> {
    const used = (await memoryOfGroup(started.pid ?? 0)) / 2 ** 20
    if (child !== started) return
    if (used <= most) return watchMemory(started)
    reason = `It used ${Math.round(used)} of ${most} MiB`
    kill('SIGKILL')
  }

  function ended(exit: NonNullable<EdgeProgram['lastExit']>): void {
    clearTimeout(memoryTimer)
    child = undefined
    const now = performance.now()
    const wasHealthy = now - startedAt >= times.well
    if (wasHealthy || failures === 0 || now - startedAt >= times.steady) stoppedAt = now
    failures = wasHealthy ? 1 : failures + 1
    // The end of a program that a user has stopped is not a failure.
    if (shouldRun) lastExit = exit
    const text = wordsOf(exit)
    onEnd?.()
    if (!shouldRun) return note(text)
    const pause = Math.min(times.first * 2 ** Math.min(failures - 1, 20), times.longest)
    note(`${text}. It restarts in ${pause / 1000} s`)
    if (failures === 1) writeLog(`${label}: ${text}`)
    againTimer = setTimeout(() => {
      restarts += 1
      void launch()
    }, pause)
  }

  async function begin(): Promise<void> {
    shouldRun = true
    // A program that waits for its restart starts now.
    if (child !== undefined) return
    failures = 0
    await launch()
  }

  async function end(): Promise<void> {
    shouldRun = false
    clearTimeout(againTimer)
    if (child === undefined) return
    const gone = new Promise<void>((resolve) => {
      onEnd = resolve
    })
    killAt = performance.now() + times.stop
    const timer = setTimeout(() => kill('SIGKILL'), times.stop)
    kill('SIGTERM')
    await gone
    clearTimeout(timer)
    onEnd = undefined
    stoppedAt = performance.now()
  }

  /** Runs orders one after the other. */
  function inTurn(order: () => Promise<void>): Promise<void> {
    const done = work.then(order)
    work = done.catch(() => {})
    return done
  }

  const isSteady = () =>
    child?.pid !== undefined && (failures === 0 || performance.now() - startedAt >= times.steady)

  return {
    key,

    /** Starts it, unless a user has stopped it. */
    async open(): Promise<void> {
      await notes.killRemaining(key)
      if (!(await notes.isStopped(key))) await inTurn(begin)
    },

    start: () =>
      inTurn(async () => {
        await notes.setStopped(key, false)
        await begin()
      }),

    stop: () =>
      inTurn(async () => {
        // It may be the program that fills the disk.
        await end()
        await notes.setStopped(key, true).catch((error: unknown) => {
          throw new Error(`${label} was stopped, but starts again with the agent: ${reasonOf(error)}`)
        })
      }),

    restart: () =>
      inTurn(async () => {
        await notes.setStopped(key, false)
        await end()
        await begin()
      }),

    /** Stops it together with the agent. The next agent starts it again. */
    close: () =>
      inTurn(async () => {
        await end()
        await Promise.all([output, noted])
        await notes.ended(key)
        await log.close()
      }),

    /** Kills it immediately. */
    kill: () => kill('SIGKILL'),

    state: (): State => (isSteady() ? 'running' : 'stopped'),

    report: (): EdgeProgram => ({
      since: Math.max(0, Math.round((performance.now() - (isSteady() ? startedAt : stoppedAt)) / 1000)),
      restarts,
      lastExit,
    }),

    log,
  }
}

/** Waits until no process of a group runs, at most until a time. */
async function groupEnd(group: number, until: number): Promise<void> {
  while (performance.now() < until && (await membersOf(group)).length > 0)
    await new Promise((go) => setTimeout(go, groupEvery))
}

const wordsOf = ({ code, signal, reason }: NonNullable<EdgeProgram['lastExit']>) =>
  reason ?? (code === null ? `Ended by ${signal}` : `Ended with ${code}`)
