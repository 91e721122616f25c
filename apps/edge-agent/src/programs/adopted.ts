import { type ChildProcess, spawn } from 'node:child_process'
import { constants, uptime } from 'node:os'
import { Readable } from 'node:stream'
import type { EdgeProgram, EdgeReport } from '@pult/contract'
import { childEnvironment } from '../child-environment.ts'
import { runProgram, startFault } from '../run-program.ts'
import type { LogStore } from './log-store.ts'
import { type LogText, readLines } from './log-text.ts'

type State = EdgeReport['instances'][number]['state']

/** Number of journal lines that the first read fetches: about 10 MiB. */
const linesAtFirst = 100_000

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
  'StateChangeTimestampMonotonic',
]

interface AdoptedParts {
  key: string
  unit: string
  log: LogStore
  logText: LogText
  /** The commands of systemd. Tests replace them. */
  systemctl?: readonly string[]
  journalctl?: readonly string[]
}

/** Adopts a unit of systemd. Its log is the journal, which is followed only while a user reads it. */
export function createAdopted(parts: AdoptedParts) {
  const { key, unit, log, logText, systemctl = ['systemctl'], journalctl = ['journalctl'] } = parts
  let state: State = 'unknown'
  let changedAt: number | null = null
  let restarts = 0
  let lastExit: EdgeProgram['lastExit'] = null
  let follower: ChildProcess | undefined
  let followed: Promise<void> | undefined
  let idleTimer: NodeJS.Timeout | undefined

  async function check(): Promise<void> {
    const args = ['show', unit, ...properties.map((name) => `--property=${name}`)]
    const { code, lines } = await runProgram([...systemctl, ...args], { timeout: showTimeout })
    const shown = new Map(lines.map((line) => line.split('=', 2) as [string, string]))
    const isKnown = code === 0 && shown.get('LoadState') !== 'not-found'
    const active = shown.get('ActiveState')
    state = !isKnown ? 'unknown' : active === 'active' || active === 'reloading' ? 'running' : 'stopped'
    restarts = Number(shown.get('NRestarts')) || 0
    const at = Number(shown.get('StateChangeTimestampMonotonic')) || 0
    changedAt = isKnown && at > 0 ? at / 1e6 : null
    // Systemd forgets the former end when it starts the unit again.
    lastExit = (isKnown && exitOf(shown)) || lastExit
  }

  function follow(): Promise<void> {
    followed ??= (async () => {
      await log.clear()
      const from = performance.now()
      let receivedAt: number | undefined
      const args = ['--unit', unit, '--follow', `--lines=${linesAtFirst}`, '--output=short-iso', '--quiet']
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
      const onLine = (line: string) => {
        receivedAt = performance.now()
        const { at, text } = entryOf(line)
        log.add(logText(text, at))
      }
      // A process that could not be started may have no streams.
      for (const stream of [started.stdout, started.stderr])
        if (stream instanceof Readable) void readLines(stream, onLine, log.drained)
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
      since: changedAt === null ? null : Math.max(0, Math.round(uptime() - changedAt)),
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

/** `2026-11-25T20:48:54+0000 host player[312]: text` */
function entryOf(line: string): { at: Date; text: string } {
  const [, time = '', zone = '', text = line] =
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)([+-]\d\d:?\d\d) \S+ (.*)$/.exec(line) ?? []
  const at = new Date(`${time}${zone.replace(/^(...)(\d\d)$/, '$1:$2')}`)
  return { at: Number.isNaN(at.getTime()) ? new Date() : at, text }
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
