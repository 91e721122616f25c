import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onFileEnd } from '@pult/testkit'

const root = join(import.meta.dirname, '..')
const startTimeout = 60_000

/** Creates a data folder. After the file's tests its database is stopped and the folder deleted. */
export async function dataFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pult-e2e-'))
  onFileEnd(async () => {
    for (const pid of await postgresOf(folder)) signal(pid, 'SIGKILL')
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  })
  return folder
}

/** Starts the server as npm start does with a built console, in a separate process. */
export function startProcess(settings: Record<string, string>, program = 'apps/server/src/main.mjs') {
  const child = spawn(process.execPath, [program], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  // Waits for `close`, so that the output is complete.
  const exited = new Promise<number | null>((resolve) => child.on('close', (code) => resolve(code)))
  onFileEnd(() => void child.kill('SIGKILL'))

  return {
    pid: child.pid,
    exited,
    output: () => output,
    kill: (name: NodeJS.Signals) => child.kill(name),
    /** Resolves when the server reports that it is ready; rejects if it exits before. */
    async ready(): Promise<void> {
      const end = Date.now() + startTimeout
      while (!/is ready.*\n/.test(output)) {
        if (child.exitCode !== null || child.signalCode !== null || Date.now() > end) {
          throw new Error(`the server did not start:\n${output}`)
        }
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
    /** The printed link for the first root account. */
    firstRootLink: () => /^Create the first root account:\n(\S+)$/m.exec(output)?.[1],
  }
}

/** Returns the PostgreSQL processes whose files are below a folder. */
export async function postgresOf(folder: string): Promise<number[]> {
  const found: { pid: number; parent: number; isPostmaster: boolean }[] = []
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const [command, status] = await Promise.all([
      readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => ''),
      readFile(`/proc/${name}/stat`, 'utf8').catch(() => ''),
    ])
    const parent = Number(status.slice(status.lastIndexOf(')') + 2).split(' ')[1])
    found.push({
      pid: Number(name),
      parent,
      isPostmaster: command.includes(folder) && command.includes('postgres'),
    })
  }
  const postmasters = new Set(found.filter(({ isPostmaster }) => isPostmaster).map(({ pid }) => pid))
  return found
    .filter(({ pid, parent }) => postmasters.has(pid) || postmasters.has(parent))
    .map(({ pid }) => pid)
}

export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // The process has already exited.
  }
}
