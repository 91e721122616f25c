import { type ChildProcess, spawn } from 'node:child_process'
import { constants, uptime } from 'node:os'
import { Readable } from 'node:stream'
import type { EdgeProgram, EdgeReport } from '@pult/contract'
import { childEnvironment } from '../child-environment.ts'
import { type OutputLine, readLines } from '../output-lines.ts'
import { runProgram, startFault } from '../run-program.ts'
import { entryMost, journalOutput, readEntry } from './journal.ts'
import type { LogStore } from './log-store.ts'
import type { LogText } from './log-text.ts'

type State = EdgeReport['instances'][number]['state']

/** Number of journal entries that the first read fetches: about 10 MiB of lines. */
const entriesAtFirst = 100_000

/** Milliseconds for which the journal is followed after the last read. */
const followFor = 15_000

/**
 * Milliseconds. The existing lines are complete after a pause of `quietAfter`. `firstWithin` limits the wait for the
 * first line, `settledWithin` the wait for all of them.
 */
const quietAfter = 300
const firstWithin = 1500
const settledWithin = 3000

const showTimeout = 5000
const orderTimeout = 120_000

const properties = [
  'LoadState',
  'ActiveState',
  'NRestarts',
  'Result',
  'ExecMainCode',
  'ExecMainStatus',
  'StateChangeTimestamp',
  'StateChangeTimestampMonotonic',
]

/** When a state began, in milliseconds of the clock of the day and of the monotonic clock. */
interface Change {
  day: number | undefined
  monotonic: number | undefined
}

/** The clocks of this machine in milliseconds. Containers replace the uptime, but not the monotonic clock. */
const machineClocks = () => ({
  day: Date.now(),
  monotonic: Number(process.hrtime.bigint() / 1_000_000n),
  uptime: uptime() * 1000,
})

interface AdoptedParts {
  key: string
  unit: string
  log: LogStore
  logText: LogText
  /** The commands of systemd, and the clocks. Tests replace them. */
  systemctl?: readonly string[]
  journalctl?: readonly string[]
  clocks?: typeof machineClocks
}

/** Adopts a unit of systemd. Its log is the journal, which is followed only while a user reads it. */
export function createAdopted({
  key,
  unit,
  log,
  logText,
  systemctl = ['systemctl'],
  journalctl = ['journalctl'],
  clocks = machineClocks,
}: AdoptedParts) {
  let state: State = 'unknown'
  let changed: Change | undefined
  let restarts = 0
  let lastExit: EdgeProgram['lastExit'] = null
  let follower: ChildProcess | undefined
  let followed: Promise<void> | undefined
  let idleTimer: NodeJS.Timeout | undefined

  async function check(): Promise<void> {
    const args = ['show', unit, ...properties.map((name) => `--property=${name}`)]
    // Times are shown in the time zone of the caller.
    const env = { TZ: 'UTC' }
    const { code, lines } = await runProgram([...systemctl, ...args], { timeout: showTimeout, env })
    const shown = new Map(lines.map((line) => line.split('=', 2) as [string, string]))
    const isKnown = code === 0 && shown.get('LoadState') !== 'not-found'
    const active = shown.get('ActiveState')
    state = !isKnown ? 'unknown' : active === 'active' || active === 'reloading' ? 'running' : 'stopped'
    restarts = Number(shown.get('NRestarts')) || 0
    changed = isKnown ? changeOf(shown) : undefined
    // Systemd forgets the former end when it starts the unit again.
    lastExit = (isKnown && exitOf(shown)) || lastExit
  }

  function follow(): Promise<void> {
    followed ??= (async () => {
      await log.clear()
      const from = performance.now()
      let receivedAt: number | undefined
      const args = ['--unit', unit, '--follow', `--lines=${entriesAtFirst}`, ...journalOutput]
      const [file = '', ...before] = journalctl
      const notRead = (error: unknown) =>
        log.add(logText(`[agent] The journal cannot be read: ${startFault(error, file)}`, new Date()))
      let started: ChildProcess
      try {
        started = spawn(file, [...before, ...args], {
          stdio: ['ignore', 'pipe', 'pipe'],
          env: childEnvironment(),
        })
      } catch (error) {
        notRead(error)
        return unfollow()
      }
      follower = started
      let lastAt = new Date()
      const onLine = ({ text, dropped }: OutputLine) => {
        receivedAt = performance.now()
        if (dropped > 0) return log.add(logText('[agent] An entry is too large to be shown', lastAt))
        const entry = readEntry(text)
        if (entry === undefined) return log.add(logText(text, new Date()))
        lastAt = entry.at
        for (const line of entry.lines) log.add(logText(line.text, entry.at, line.dropped))
      }
      // A process that could not be started may have no streams.
      for (const stream of [started.stdout, started.stderr])
        if (stream instanceof Readable)
          void readLines(stream, { onLine, onChunk: log.drained, most: entryMost })
      const cleanUp = () => {
        if (follower === started) unfollow()
      }
      started.on('error', (error) => {
        notRead(error)
        cleanUp()
      })
      started.on('exit', cleanUp)
      const isSettled = (now: number) =>
        follower !== started ||
        now - from > settledWithin ||
        (receivedAt === undefined ? now - from > firstWithin : now - receivedAt > quietAfter)
      while (!isSettled(performance.now()))
        await new Promise((resolve) => setTimeout(resolve, quietAfter / 3))
    })()
    return followed
  }

  function unfollow(): void {
    clearTimeout(idleTimer)
    follower?.kill('SIGTERM')
    follower = undefined
    followed = undefined
  }

  async function order(verb: 'start' | 'stop' | 'restart'): Promise<void> {
    const { lines, reason } = await runProgram([...systemctl, verb, unit], { timeout: orderTimeout })
    if (reason !== undefined) throw new Error([reason, ...lines.slice(-1)].join(': '))
    await check()
  }

  return {
    key,
    check,
    start: () => order('start'),
    stop: () => order('stop'),
    restart: () => order('restart'),
    open: check,
    close: async () => unfollow(),
    kill: unfollow,
    state: () => state,
    report: (): EdgeProgram => ({
      since: changed === undefined ? null : Math.round(sinceOf(changed, clocks()) / 1000),
      restarts,
      lastExit,
    }),

    log: {
      async read(asked: Parameters<LogStore['read']>[0]): ReturnType<LogStore['read']> {
        clearTimeout(idleTimer)
        await follow()
        idleTimer = setTimeout(unfollow, followFor).unref()
        return log.read(asked)
      },
    },
  }
}

/** Undefined for a unit that has never been started. */
function changeOf(shown: ReadonlyMap<string, string>): Change | undefined {
  const [, date, time] =
    /^\S+ (\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.\d+)? UTC$/.exec(shown.get('StateChangeTimestamp') ?? '') ??
    []
  const day = date === undefined ? undefined : Date.parse(`${date}T${time}Z`)
  const microseconds = Number(shown.get('StateChangeTimestampMonotonic')) || 0
  const monotonic = microseconds === 0 ? undefined : microseconds / 1000
  return day === undefined && monotonic === undefined ? undefined : { day, monotonic }
}

/**
 * Returns the milliseconds since a change. The clock of the day counts the sleep of the machine, but may have been set
 * meanwhile. The monotonic clock stands still in sleep, so it gives the least possible time, and the longest one
 * together with the sleep since the start of the machine. A monotonic time of the future comes from a container whose
 * systemd has another clock: there the uptime gives the longest time.
 */
function sinceOf({ day, monotonic }: Change, now: ReturnType<typeof machineClocks>): number {
  const least = monotonic === undefined ? undefined : now.monotonic - monotonic
  const byDay = day === undefined ? 0 : now.day - day
  if (least === undefined || least < 0) return Math.min(Math.max(byDay, 0), now.uptime)
  const slept = Math.max(0, now.uptime - now.monotonic)
  return Math.min(Math.max(byDay, least), least + slept)
}

/** Results that the code and the signal explain. */
const plainResults = new Set(['success', 'exit-code', 'signal', 'core-dump'])

function exitOf(shown: ReadonlyMap<string, string>): EdgeProgram['lastExit'] {
  const how = shown.get('ExecMainCode')
  const status = Number(shown.get('ExecMainStatus')) || 0
  const result = shown.get('Result') ?? 'success'
  const reason = plainResults.has(result) ? null : `systemd: ${result}`.slice(0, 100)
  if (how === '1') return { code: status, signal: null, reason }
  if (how === '2' || how === '3')
    return { code: null, signal: signalNames.get(status) ?? `${status}`, reason }
  return reason === null ? null : { code: null, signal: null, reason }
}

const signalNames = new Map(
  Object.entries(constants.signals).map(([name, number]) => [number, name] as const),
)
