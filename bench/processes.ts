import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { delimiter } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'

export interface Start {
  program: string
  args: string[]
  cwd: string
  env: NodeJS.ProcessEnv
  /** The output line that signals readiness. */
  ready: RegExp
  timeoutSeconds?: number
  /** Whether an interrupt to the whole process group stops it, as in a terminal, because npm does not forward signals. */
  interactive?: boolean
}

export interface Running {
  pid: number
  /** Milliseconds from the start of the process to its ready line. */
  readyAfter: number
  /** The output so far. */
  lines: readonly string[]
  /** Resolves with the pattern's group in the first matching line of past or future output. */
  findLine(pattern: RegExp): Promise<string>
  stop(): Promise<void>
}

export const stopTimeout = 15_000
const running = new Map<ChildProcess, () => Promise<void>>()
let isClosed = false

/** Starts a process that `stopAll` stops. A second stop awaits the first. */
function launch({ program, args, cwd, env, interactive = false }: Omit<Start, 'ready' | 'timeoutSeconds'>) {
  if (isClosed) throw new Error('The run has ended')
  // A separate process group, so that an interrupt reaches the bench only, which then stops its processes in order.
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, name) => {
      // The last lines may still arrive, and another process may keep the pipe open.
      void Promise.race([once(child, 'close'), wait(200)]).then(() => resolve(`ended with ${name ?? code}`))
    })
  })
  const signal = (name: NodeJS.Signals) => {
    if (interactive && child.pid !== undefined) process.kill(-child.pid, name)
    else child.kill(name)
  }
  let stopping: Promise<void> | undefined
  const end = async () => {
    signal(interactive ? 'SIGINT' : 'SIGTERM')
    const timer = setTimeout(() => signal('SIGKILL'), stopTimeout)
    await ended
    clearTimeout(timer)
  }
  // A second signal would make the server exit immediately and leave its database behind.
  const stop = async () => {
    if (running.has(child)) stopping ??= end()
    await stopping
  }
  running.set(child, stop)
  void ended.then(() => running.delete(child))
  return { child, ended, stop }
}

/** Runs a program to its end. Throws its last lines if it fails. */
export async function runProcess(start: Omit<Start, 'ready' | 'timeoutSeconds'>): Promise<void> {
  const { child, ended } = launch(start)
  const lines: string[] = []
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', (line) => lines.push(line))
  const end = await ended
  if (child.exitCode !== 0) throw new Error([`${start.program} ${end}`, ...lines.slice(-5)].join('\n'))
}

/** Starts a process. Resolves when it is ready. */
export async function startProcess({
  program,
  args,
  cwd,
  env,
  ready,
  timeoutSeconds = 60,
  interactive = false,
}: Start): Promise<Running> {
  const begin = performance.now()
  const { child, ended, stop } = launch({ program, args, cwd, env, interactive })
  const lines: string[] = []
  const waiting = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line)
      for (const look of waiting) look()
    })
  }

  async function findLine(pattern: RegExp, seconds = 10): Promise<string> {
    const found = new Promise<string>((resolve) => {
      const look = () => {
        const match = lines.map((line) => pattern.exec(line)).find((each) => each !== null)
        if (match) {
          waiting.delete(look)
          resolve(match[1] ?? match[0])
        }
      }
      waiting.add(look)
      look()
    })
    const timer = new AbortController()
    const problem = Promise.race([
      ended,
      wait(seconds * 1000, `printed no line that matches ${pattern} within ${seconds} s`, {
        signal: timer.signal,
      }).catch(() => ''),
    ])
    try {
      return await Promise.race([
        found,
        problem.then((text) => {
          throw new Error(`${program} ${args.join(' ').slice(0, 80)}: ${text}\n${lines.slice(-5).join('\n')}`)
        }),
      ])
    } finally {
      timer.abort()
    }
  }

  try {
    await findLine(ready, timeoutSeconds)
  } catch (error) {
    await stop()
    throw error
  }
  return {
    pid: child.pid ?? 0,
    lines,
    readyAfter: performance.now() - begin,
    findLine: (pattern) => findLine(pattern),
    stop,
  }
}

/** Stops running processes, so that a failing bench leaves none behind. With `forGood`, later starts fail. */
export async function stopAll({ forGood = false } = {}): Promise<void> {
  isClosed = forGood
  await Promise.all([...running.values()].map((stop) => stop()))
}

/** Returns the environment of a user's shell, without npm's variables, this project's programs and its settings. */
export function plainEnvironment(added: Record<string, string> = {}): NodeJS.ProcessEnv {
  const path = (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'))
  const kept = Object.entries(process.env).filter(([name]) =>
    /^(HOME|USER|LANG|LC_\w+|SHELL|TERM)$/.test(name),
  )
  return { ...Object.fromEntries(kept), PATH: path.join(delimiter), ...added }
}

/** Returns a port below the ephemeral range, because an outgoing connection could take an ephemeral port first. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 50; tries += 1) {
    const port = randomInt(20_000, 30_000)
    if (await isFree(port)) return port
  }
  throw new Error('No port is free')
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, 'localhost')
  const isListening = await Promise.race([
    once(server, 'listening').then(() => true),
    once(server, 'error').then(() => false),
  ]).catch(() => false)
  if (!isListening) return false
  server.close()
  await once(server, 'close')
  return true
}

/** Waits for the port, because npm exits before the server that it started. */
export async function waitUntilFree(port: number): Promise<void> {
  const giveUp = performance.now() + stopTimeout
  while (!(await isFree(port))) {
    if (performance.now() > giveUp) throw new Error(`The program on port ${port} does not end`)
    await wait(20)
  }
}
