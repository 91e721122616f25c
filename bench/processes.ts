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
  /** The line by which the process says that it can be used. */
  ready: RegExp
  timeoutSeconds?: number
  /** Stopped as from a terminal, by an interrupt to all its processes: npm does not hand a signal on. */
  interactive?: boolean
}

export interface Running {
  pid: number
  /** From the start of the process to its ready line, in milliseconds. */
  readyAfter: number
  /** What it has printed so far. */
  lines: readonly string[]
  /** Resolves with what the pattern's group found in a line that was, or will be, printed. */
  findLine(pattern: RegExp): Promise<string>
  stop(): Promise<void>
}

const stopTimeout = 15_000
const running = new Map<ChildProcess, () => Promise<void>>()

/** Starts a process and resolves when it is ready. */
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
  // In a process group of its own: who interrupts the bench interrupts that alone, and it stops the others in order.
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, name) => {
      // Its last lines may still be on their way, unless something else goes on writing to the same pipe.
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
  // Asked a second time, a server ends at once and leaves its database behind.
  const stop = async () => {
    if (running.has(child)) stopping ??= end()
    await stopping
  }
  running.set(child, stop)
  void ended.then(() => running.delete(child))

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
      wait(seconds * 1000, `printed no line like ${pattern} within ${seconds} s`, {
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

/** Stops what still runs, so that a bench that fails leaves nothing behind. */
export async function stopAll(): Promise<void> {
  await Promise.all([...running.values()].map((stop) => stop()))
}

/** What a person's shell would hand on: nothing of npm's, of this clone's programs, or of settings of ours. */
export function plainEnvironment(added: Record<string, string> = {}): NodeJS.ProcessEnv {
  const path = (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'))
  const kept = Object.entries(process.env).filter(([name]) =>
    /^(HOME|USER|LANG|LC_\w+|SHELL|TERM)$/.test(name),
  )
  return { ...Object.fromEntries(kept), PATH: path.join(delimiter), ...added }
}

/** Below the ports that systems give to outgoing connections, one of which could take it before it is used. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 50; tries += 1) {
    const port = randomInt(20_000, 30_000)
    if (await isFree(port)) return port
  }
  throw new Error('There is no free port')
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

/** npm ends before the server that it started; the port tells when that one has ended as well. */
export async function waitUntilFree(port: number): Promise<void> {
  const giveUp = performance.now() + stopTimeout
  while (!(await isFree(port))) {
    if (performance.now() > giveUp) throw new Error(`What was started on port ${port} does not end`)
    await wait(20)
  }
}
