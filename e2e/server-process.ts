import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

const root = join(import.meta.dirname, '..')
const startTimeout = 30_000

/** Whatever a test leaves behind ends with its file: processes first, then the databases and folders they used. */
const processes: (() => void)[] = []
const folders: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const end of processes) end()
  for (const remove of folders) await remove()
})

export async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((listening) => probe.listen(0, 'localhost', listening))
  const address = probe.address()
  await new Promise((closed) => probe.close(closed))
  if (address === null || typeof address === 'string') throw new Error('no free port')
  return address.port
}

/** A data folder that is deleted, and whose database is ended, after the file's tests. */
export async function dataFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pult-e2e-'))
  folders.push(async () => {
    for (const pid of await postgresOf(folder)) signal(pid, 'SIGKILL')
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  })
  return folder
}

/** The server as npm start runs it, once its console is built: a process of its own. */
export function startProcess(settings: Record<string, string>) {
  const child = spawn(process.execPath, ['apps/server/src/main.mjs'], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const exited = new Promise<number | null>((resolve) => child.on('exit', (code) => resolve(code)))
  processes.push(() => void child.kill('SIGKILL'))

  return {
    pid: child.pid,
    exited,
    output: () => output,
    kill: (name: NodeJS.Signals) => child.kill(name),
    /** Resolves when the server says that it is ready; rejects when it ends before. */
    async ready(): Promise<void> {
      const end = Date.now() + startTimeout
      while (!/is ready.*\n/.test(output)) {
        if (child.exitCode !== null || child.signalCode !== null || Date.now() > end) {
          throw new Error(`the server did not come up:\n${output}`)
        }
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
    /** The link for the first root account, as it was printed. */
    firstRootLink: () => /^Create the first root account:\n(\S+)$/m.exec(output)?.[1],
  }
}

/** The processes of the PostgreSQL that keeps its files below a folder. */
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
    // It ended by itself.
  }
}
