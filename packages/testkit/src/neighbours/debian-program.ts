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

/** Debian packages: servers that stand beside Pult in real installations, and programs that write media and archives. */
export type DebianProgramName =
  | 'nginx'
  | 'haproxy'
  | 'caddy'
  | 'pgbouncer'
  | '7zip'
  | 'ffmpeg'
  | 'flac'
  | 'gifsicle'
  | 'imagemagick'
  | 'lame'
  | 'libavif-bin'
  | 'libjpeg-turbo-progs'
  | 'libtiff-tools'
  | 'sox'
  | 'webp'
  | 'zip'

export interface DebianProgram {
  path: string
  /** The environment in which it finds its libraries. */
  env: NodeJS.ProcessEnv
}

const cloneFolder = join(import.meta.dirname, '../../../..')
const cacheFolder = join(cloneFolder, 'node_modules/.cache/pult-neighbours')
const binFolders = ['usr/sbin', 'usr/bin']

const found = new Map<string, Promise<DebianProgram | null>>()

/**
 * Returns an installed program, or the one of Debian's package. The package is only unpacked into a cache folder, so
 * that none of its services starts on this machine. Returns null, with one printed line, where neither is possible:
 * `test.skipIf(nginx === null)`.
 *
 * @param command the program of the package; by default it has the package's name
 */
export function debianProgram(
  name: DebianProgramName,
  command: string = name,
): Promise<DebianProgram | null> {
  const key = `${name} ${command}`
  const program = found.get(key) ?? findProgram(name, command)
  found.set(key, program)
  return program
}

async function findProgram(name: DebianProgramName, command: string): Promise<DebianProgram | null> {
  const folders = (process.env.PATH ?? '').split(delimiter).concat('/usr/sbin').filter(Boolean)
  const installed = folders.map((folder) => join(folder, command)).find((path) => existsSync(path))
  if (installed !== undefined) return { path: installed, env: process.env }
  const folder = join(cacheFolder, name)
  try {
    if (!existsSync(folder)) {
      await withLock(`neighbour-${name}`, { timeoutSeconds: 300 }, async () => unpack(name, folder))
    }
    return await unpacked(command, folder)
  } catch (error) {
    const reason = error instanceof Error ? (error.message.trim().split('\n').at(-1) ?? '') : String(error)
    console.log(`${name} is not installed and its Debian package is not available (${reason}): tests skipped`)
    return null
  }
}

async function unpacked(command: string, folder: string): Promise<DebianProgram> {
  const path = binFolders.map((bin) => join(folder, bin, command)).find((each) => existsSync(each))
  if (path === undefined) throw new Error('the package has no program of this name')
  const libraries = await libraryFolders(folder)
  const magick = libraries.find((each) => each.endsWith('/coders'))
  return {
    path,
    env: {
      ...process.env,
      LD_LIBRARY_PATH: libraries.join(':'),
      // ImageMagick loads its formats from folders that it knows by absolute paths.
      ...(magick !== undefined && {
        MAGICK_CODER_MODULE_PATH: magick,
        MAGICK_CONFIGURE_PATH: `${join(folder, 'etc/ImageMagick-6')}:${join(magick, '../../config-Q16')}`,
      }),
    },
  }
}

/** The folders of the unpacked libraries. Some packages have their own, such as `blas`. */
async function libraryFolders(folder: string): Promise<string[]> {
  const files = await readdir(join(folder, 'usr/lib'), { recursive: true, withFileTypes: true }).catch(
    () => [],
  )
  return [
    ...new Set(files.filter(({ name }) => /\.so(?:\.|$)/.test(name)).map(({ parentPath }) => parentPath)),
  ]
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
