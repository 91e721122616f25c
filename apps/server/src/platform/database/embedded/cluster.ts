import { randomBytes } from 'node:crypto'
import { chown, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from '../../places/sync-folder.ts'
import { pult } from '../../program-name.ts'
import { StartFault } from '../../start-fault.ts'
import type { Binaries } from './binaries.ts'
import { type DataFolder, errorCode, fullDiskMessage, reportsFullDisk } from './data-folder.ts'
import type { ServerUser } from './program.ts'
import { lastLine, runProgram } from './program.ts'
import { commandWithAccount, isRoot } from './server-user.ts'

/** The application's role. It owns its database and is not a superuser, so its SQL cannot run programs. */
export const applicationRole = 'pult'
export const applicationDatabase = 'pult'
export const superuser = 'postgres'

/** Returns the major version of the database files; undefined if none exist. */
export async function readMajor(folder: DataFolder): Promise<number | undefined> {
  const names = await readdir(folder.cluster).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return []
    throw error
  })
  // An empty folder is a fresh volume that was mounted or created in advance.
  if (names.length === 0) return undefined
  const version = await readFile(join(folder.cluster, 'PG_VERSION'), 'utf8').catch(() => '')
  const major = Number.parseInt(version, 10)
  if (Number.isNaN(major)) {
    throw new StartFault(
      `the folder ${folder.cluster} contains something other than a database: move it elsewhere, or set PULT_DATA to another folder`,
    )
  }
  return major
}

export async function refuseForeignCluster(
  folder: DataFolder,
  major: number,
  binaries: Binaries,
): Promise<void> {
  if (major !== binaries.major) {
    const remedy =
      major < binaries.major
        ? `move its data with ${pult('database upgrade')}`
        : `use the version of Pult that runs PostgreSQL ${major}`
    throw new StartFault(
      `the database in ${folder.cluster} needs PostgreSQL ${major}, and this version of Pult runs PostgreSQL ` +
        `${binaries.version}: ${remedy}`,
    )
  }
  const { uid } = await stat(folder.cluster)
  const self = process.getuid?.()
  if (uid === 0) {
    throw new StartFault(
      `the database in ${folder.cluster} belongs to root, but PostgreSQL refuses to run as root: give it to another ` +
        'user with chown -R',
    )
  }
  if (!isRoot() && uid !== self) {
    throw new StartFault(
      `the database in ${folder.cluster} belongs to another user (uid ${uid}): run Pult as that user`,
    )
  }
}

const unfinishedPrefix = 'postgres.new-'

/**
 * Creates the database files in a temporary folder and renames it, so that an interrupted start leaves no partial
 * database. The caller holds the start lock.
 */
export async function createCluster(
  folder: DataFolder,
  binaries: Binaries,
  user: ServerUser | undefined,
): Promise<void> {
  await removeUnfinished(folder)
  // A unique name each time: an initdb whose parent was killed may still be writing to its folder.
  const unfinished = join(folder.path, `${unfinishedPrefix}${randomBytes(4).toString('hex')}`)
  try {
    await mkdir(unfinished, { mode: 0o700 })
    if (user !== undefined) await chown(unfinished, user.uid, user.gid)
    await initialise(unfinished, binaries, user)
    await rename(unfinished, folder.cluster)
    await syncFolder(folder.path)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    const isFull = error instanceof Error && typeof error.cause === 'string' && reportsFullDisk(error.cause)
    throw isFull ? new Error(fullDiskMessage(folder.path), { cause: error }) : error
  }
}

async function removeUnfinished(folder: DataFolder): Promise<void> {
  for (const name of await readdir(folder.path)) {
    if (!name.startsWith(unfinishedPrefix)) continue
    // A folder that an orphaned initdb still fills is removed by the next start.
    await rm(join(folder.path, name), { recursive: true, force: true, maxRetries: 3 }).catch(() => {})
  }
}

async function initialise(
  cluster: string,
  { folder, major }: Binaries,
  user: ServerUser | undefined,
): Promise<void> {
  const account = user === undefined ? await commandWithAccount() : []
  const run = (name: string, args: string[], input?: string) => {
    const program = join(folder, name)
    const [file = program, ...leading] = account
    const all = account.length === 0 ? args : [...leading, program, ...args]
    return runProgram(file, all, { user, ...(input !== undefined && { input }) })
  }
  const initdb = (...args: string[]) => run('initdb', ['-D', cluster, ...args])
  // Bytewise order is equal on all machines; the builtin provider also supports case beyond ASCII.
  const locale = major >= 17 ? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8'] : []
  await succeed(
    'initdb',
    initdb(
      `--username=${superuser}`,
      '--auth=trust',
      '--encoding=UTF8',
      '--locale=C',
      ...locale,
      '--data-checksums',
      '--no-instructions',
      // All files are synced once, below.
      '--no-sync',
    ),
  )
  const single = ['--single', '-D', cluster, '-c', 'exit_on_error=on', '-c', 'fsync=off', 'postgres']
  const input = [
    `create role ${applicationRole} login createdb`,
    `create database ${applicationDatabase} owner ${applicationRole}`,
  ]
  await succeed('postgres', run('postgres', single, `${input.join('\n')}\n`))
  await succeed('initdb', initdb('--sync-only'))
}

async function succeed(name: string, running: ReturnType<typeof runProgram>): Promise<void> {
  const { succeeded, stdout, stderr } = await running
  if (succeeded) return
  const output = `${stdout}\n${stderr}`
  const reason = /^.*(?:error|FATAL|PANIC):\s*(.*)$/m.exec(output)?.[1] ?? lastLine(output)
  throw new Error(`the database cannot be created: ${name} reports: ${reason}`, { cause: output })
}
