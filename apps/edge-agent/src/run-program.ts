import { type ChildProcess, spawn } from 'node:child_process'
import { Readable } from 'node:stream'
import { childEnvironment } from './child-environment.ts'
import { createLineSplitter, shortened, shownText } from './output-lines.ts'
import { findSilent } from './silent-paths.ts'
import { reasonOf } from './state.ts'

export interface Ended {
  /** Null if the program could not be started, was killed, or took too long. */
  code: number | null
  /** The last lines of its output. */
  lines: string[]
  /** Why it did not exit with 0, as the end of a sentence. */
  reason: string | undefined
  /** Resolves when the process has ended, which may be later: the system may refuse to kill it. */
  gone: Promise<void>
}

interface RunOptions {
  /** Milliseconds. Afterwards the program is killed with the processes that it has started. */
  timeout: number
  /** Added to the few variables of the system that programs receive. */
  env?: Readonly<Record<string, string>>
  /**
   * Whether processes that the program has started continue after its exit, such as a player in the background.
   * Otherwise they are killed.
   */
  leavesProcesses?: boolean
  /** Kills the program. */
  signal?: AbortSignal
}

/** Maximum number of last output lines, and characters that are kept of each. */
const linesMost = 40
const lineMost = 400

/** Milliseconds for a killed process to end. A process of another user, or one that waits for a disk, may not. */
const killTime = 2000

/** Turns of the event loop for the output that was written before the exit. Another process may write endlessly. */
const turnsMost = 100

/**
 * Runs a program without a shell, as its own process group, and returns the end of its output. The exit of the process
 * counts: another process may hold its output for longer.
 */
export async function runProgram(program: readonly string[], options: RunOptions): Promise<Ended> {
  const silent = await findSilent(program.slice(0, 1))
  if (silent === undefined) return runReady(program, options)
  return { code: null, lines: [], reason: silenceOf(silent), gone: Promise.resolve() }
}

function runReady(
  [file = '', ...args]: readonly string[],
  { timeout, env, leavesProcesses = false, signal }: RunOptions,
): Promise<Ended> {
  return new Promise((resolve) => {
    const { promise: gone, resolve: hasGone } = Promise.withResolvers<void>()
    const notStarted = (error: unknown) => {
      hasGone()
      resolve({ code: null, lines: [], reason: startFault(error, file), gone })
    }
    let child: ChildProcess
    try {
      child = spawn(file, args, {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: childEnvironment(env),
        detached: true,
        windowsHide: true,
      })
    } catch (error) {
      return notStarted(error)
    }
    const output = readOutput(child)
    const kill = () => killGroup(child, 'SIGKILL')
    const late = `it took longer than ${timeout / 1000} s`
    let isLate = false
    let killTimer: NodeJS.Timeout | undefined
    const timer = setTimeout(() => {
      isLate = true
      kill()
      killTimer = setTimeout(() => {
        output.close()
        resolve({ code: null, lines: output.lines(), reason: `${late}, and cannot be killed`, gone })
      }, killTime)
    }, timeout)
    signal?.addEventListener('abort', kill)
    if (signal?.aborted) kill()
    const cleanUp = () => {
      clearTimeout(timer)
      clearTimeout(killTimer)
      signal?.removeEventListener('abort', kill)
    }
    child.on('error', (error) => {
      // The system has refused a signal, and the process continues.
      if (child.pid !== undefined) return
      cleanUp()
      output.close()
      notStarted(error)
    })
    child.on('exit', (code, by) => {
      cleanUp()
      hasGone()
      const reason = isLate
        ? late
        : code === null
          ? `it was killed by ${by}`
          : code === 0
            ? undefined
            : `it exited with code ${code}`
      void output.readRest().then(() => {
        if (leavesProcesses && !isLate) output.leave()
        else {
          kill()
          output.close()
        }
        resolve({ code: isLate ? null : code, lines: output.lines(), reason, gone })
      })
    })
  })
}

/** Sends a signal to a process and to those that it has started. */
export function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, signal)
  } catch {
    child.kill(signal)
  }
}

const startFaults: Record<string, string> = {
  ENOENT: 'does not exist',
  EACCES: 'may not be executed by the user of the agent',
  EAGAIN: 'cannot start: this machine has too many processes',
  EMFILE: 'cannot start: the agent has too many open files',
  ENFILE: 'cannot start: this machine has too many open files',
  ENOMEM: 'cannot start: this machine has too little memory',
  E2BIG: 'cannot start: its arguments and environment are too long',
}

/** Returns why a program could not be started, with the code of the system. */
export function startFault(error: unknown, file: string): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const fault = startFaults[code]
  return fault === undefined ? reasonOf(error) : `${file} ${fault} (${code})`
}

/** Returns why a program was not started whose folder or file does not answer. */
export const silenceOf = (path: string) => `${path} does not answer: its mount may be away`

/** Reads the output of a child into its last lines. A child that could not be started may have no streams. */
function readOutput({ stdout, stderr }: ChildProcess) {
  const streams = [stdout, stderr].filter((stream) => stream instanceof Readable)
  const lines: string[] = []
  let chunks = 0
  const splitters = streams.map((stream) => {
    const splitter = createLineSplitter(({ text, dropped }) => {
      const line = shortened({ text: shownText(text).trim(), dropped }, lineMost).trim()
      if (line === '') return
      lines.push(line)
      if (lines.length > linesMost) lines.shift()
    })
    stream.setEncoding('utf8')
    stream.on('error', () => {})
    stream.on('data', (chunk: string) => {
      chunks += 1
      splitter.add(chunk)
    })
    return splitter
  })
  return {
    /** Returns the last lines, with those that have not ended, such as a prompt. */
    lines(): string[] {
      for (const splitter of splitters) splitter.end()
      return lines
    },

    /** Reads what was written before the exit: until a turn of the event loop finds nothing more. */
    async readRest(): Promise<void> {
      for (let turn = 0, before = -1; turn < turnsMost && before !== chunks; turn += 1) {
        before = chunks
        await nextTurn()
        await nextTurn()
      }
    },

    close(): void {
      for (const stream of streams) stream.destroy()
    },

    leave(): void {
      for (const stream of streams) if (!stream.readableEnded && !stream.destroyed) drain(stream)
    },
  }
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

/**
 * Reads the output of the processes that still hold it, in a process that outlives the agent: without a reader they
 * would die of SIGPIPE when they write.
 */
function drain(stream: Readable): void {
  // The agent itself reads it, until its own end.
  const fallBack = () => void stream.resume()
  try {
    const reader = spawn('cat', {
      stdio: [stream, 'ignore', 'ignore'],
      env: childEnvironment(),
      detached: true,
    })
    reader.on('error', fallBack)
    reader.once('spawn', () => stream.destroy())
    reader.unref()
  } catch {
    fallBack()
  }
}
