import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { withLock } from '../../../../tools/lock-folder.mjs'
import { onFileEnd } from '../on-file-end.ts'

const execute = promisify(execFile)

/** Programs that stand beside Pult in real installations, each from the Debian package of its name. */
export type DebianProgramName = 'nginx' | 'haproxy' | 'caddy' | 'pgbouncer'

export interface DebianProgram {
  path: string
  /** The environment in which it finds its libraries. */
  env: NodeJS.ProcessEnv
}

const cloneFolder = join(import.meta.dirname, '../../../..')
const cacheFolder = join(cloneFolder, 'node_modules/.cache/pult-neighbours')
const binFolders = ['usr/sbin', 'usr/bin']

/**
 * Returns an installed program, or the one of Debian's package. The package is only unpacked into a cache folder, so
 * that none of its services starts on this machine. Returns null, with one printed line, where neither is possible:
 * `test.skipIf(nginx === null)`.
 */
export async function debianProgram(name: DebianProgramName): Promise<DebianProgram | null> {
  const folders = (process.env.PATH ?? '').split(delimiter).concat('/usr/sbin').filter(Boolean)
  const installed = folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
  if (installed !== undefined) return { path: installed, env: process.env }
  const folder = join(cacheFolder, name)
  try {
    if (!existsSync(folder)) {
      await withLock(`neighbour-${name}`, { timeoutSeconds: 300 }, async () => unpack(name, folder))
    }
    return unpacked(name, folder)
  } catch (error) {
    const reason = error instanceof Error ? (error.message.trim().split('\n').at(-1) ?? '') : String(error)
    console.log(`${name} is not installed and its Debian package is not available (${reason}): tests skipped`)
    return null
  }
}

function unpacked(name: DebianProgramName, folder: string): DebianProgram {
  const path = binFolders.map((bin) => join(folder, bin, name)).find((each) => existsSync(each))
  if (path === undefined) throw new Error('the package has no program of this name')
  const libraries = ['usr/lib/x86_64-linux-gnu', 'usr/lib/aarch64-linux-gnu'].map((each) =>
    join(folder, each),
  )
  return { path, env: { ...process.env, LD_LIBRARY_PATH: libraries.join(':') } }
}

/** Unpacks the package and its missing dependencies. */
async function unpack(name: DebianProgramName, folder: string): Promise<void> {
  if (existsSync(folder)) return
  const partial = `${folder}.partial`
  await rm(partial, { recursive: true, force: true })
  await mkdir(join(partial, 'packages'), { recursive: true })
  await download(name, join(partial, 'packages')).catch(async (error: unknown) => {
    // A new machine has no list of packages, and an old list names files that the mirror no longer has.
    if (process.getuid?.() !== 0) throw error
    await execute('apt-get', ['-o', 'DPkg::Lock::Timeout=300', 'update'])
    await download(name, join(partial, 'packages'))
  })
  for (const file of await readdir(join(partial, 'packages')))
    await execute('dpkg-deb', ['-x', join(partial, 'packages', file), partial])
  await rename(partial, folder)
}

async function download(name: DebianProgramName, folder: string): Promise<void> {
  const { stdout } = await execute('apt-get', ['install', '--simulate', '--no-install-recommends', name])
  // Inst nginx (1.22.1-9 Debian:12.12/oldstable [amd64])
  const packages = [...stdout.matchAll(/^Inst (\S+)/gm)].map(([, each = '']) => each)
  if (packages.length === 0) throw new Error('apt-get names no package')
  await execute('apt-get', ['download', ...packages], { cwd: folder })
}

/** Starts a program until the end of the test file, and waits until `isReady`. Fails with its output if it ends first. */
export async function startNeighbour(
  { path, env }: DebianProgram,
  args: readonly string[],
  { cwd, isReady }: { cwd?: string; isReady: () => Promise<boolean> },
): Promise<ChildProcess> {
  const child = spawn(path, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  child.stdout.on('data', (part: Buffer) => (output += part.toString()))
  child.stderr.on('data', (part: Buffer) => (output += part.toString()))
  onFileEnd(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
  for (let attempts = 0; !(await isReady().catch(() => false)); attempts += 1) {
    if (child.exitCode !== null || attempts > 300) throw new Error(`${path} did not start:\n${output}`)
    await delay(100)
  }
  return child
}
