import { randomBytes } from 'node:crypto'
import { chown, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Binaries } from './binaries.ts'
import { type DataFolder, errorCode, fullDiskMessage, syncFolder, tellsOfFullDisk } from './data-folder.ts'
import { lastLine, runProgram } from './program.ts'
import { isRoot, type ServerUser } from './server-user.ts'

/** The one that the application connects as. It owns its database, and is no superuser: no SQL of its runs programs. */
export const applicationRole = 'pult'
export const applicationDatabase = 'pult'
const superuser = 'postgres'

/** The major version of PostgreSQL that made the database files, undefined when there are none. */
export async function readMajor(folder: DataFolder): Promise<number | undefined> {
  const names = await readdir(folder.cluster).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return []
    throw error
  })
  // An empty folder is a fresh volume that somebody mounted or made ahead.
  if (names.length === 0) return undefined
  const version = await readFile(join(folder.cluster, 'PG_VERSION'), 'utf8').catch(() => '')
  const major = Number.parseInt(version, 10)
  if (Number.isNaN(major)) {
    throw new Error(
      `the folder ${folder.cluster} holds something else than a database: move it away, or set PULT_DATA to another folder`,
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
    throw new Error(
      `the database in ${folder.cluster} was made by PostgreSQL ${major}, and this is PostgreSQL ${binaries.version}: ` +
        'run "npm run pult -- database upgrade", which exports it with the old one and imports it into the new one',
    )
  }
  const { uid } = await stat(folder.cluster)
  const self = process.getuid?.()
  if (uid === 0) {
    throw new Error(
      `the database in ${folder.cluster} belongs to root, as whom PostgreSQL refuses to run: give it to another ` +
        'user with chown -R',
    )
  }
  if (!isRoot() && uid !== self) {
    throw new Error(
      `the database in ${folder.cluster} belongs to another user (uid ${uid}): run Pult as that one`,
    )
  }
}

const unfinishedPrefix = 'postgres.new-'

/**
 * Makes the database files beside their place and moves them there in one step, so that what an interrupted start
 * leaves behind never counts. The caller holds the start lock.
 */
export async function createCluster(
  folder: DataFolder,
  binaries: Binaries,
  user: ServerUser | undefined,
): Promise<void> {
  await removeUnfinished(folder)
  // Never the same name twice: an initdb whose parent was killed may still be writing into its own.
  const unfinished = join(folder.path, `${unfinishedPrefix}${randomBytes(4).toString('hex')}`)
  try {
    await mkdir(unfinished, { mode: 0o700 })
    if (user !== undefined) await chown(unfinished, user.uid, user.gid)
    await initialise(unfinished, binaries, user)
    await rename(unfinished, folder.cluster)
    await syncFolder(folder.path)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    const isFull = error instanceof Error && typeof error.cause === 'string' && tellsOfFullDisk(error.cause)
    throw isFull ? new Error(fullDiskMessage(folder.path), { cause: error }) : error
  }
}

async function removeUnfinished(folder: DataFolder): Promise<void> {
  for (const name of await readdir(folder.path)) {
    if (!name.startsWith(unfinishedPrefix)) continue
    // One that an orphaned initdb still fills stays until the next time.
    await rm(join(folder.path, name), { recursive: true, force: true, maxRetries: 3 }).catch(() => {})
  }
}

async function initialise(
  cluster: string,
  { folder, major }: Binaries,
  user: ServerUser | undefined,
): Promise<void> {
  const initdb = (...args: string[]) => runProgram(join(folder, 'initdb'), ['-D', cluster, ...args], { user })
  // Bytewise order is the same on each machine; the builtin provider also knows upper and lower case beyond ASCII.
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
      // Everything is written out once, below.
      '--no-sync',
    ),
  )
  const single = ['--single', '-D', cluster, '-c', 'exit_on_error=on', '-c', 'fsync=off', 'postgres']
  const input = [
    `create role ${applicationRole} login createdb`,
    `create database ${applicationDatabase} owner ${applicationRole}`,
  ]
  await succeed(
    'postgres',
    runProgram(join(folder, 'postgres'), single, { user, input: `${input.join('\n')}\n` }),
  )
  await succeed('initdb', initdb('--sync-only'))
}

async function succeed(name: string, running: ReturnType<typeof runProgram>): Promise<void> {
  const { succeeded, stdout, stderr } = await running
  if (succeeded) return
  const output = `${stdout}\n${stderr}`
  const reason = /^.*(?:error|FATAL|PANIC):\s*(.*)$/m.exec(output)?.[1] ?? lastLine(output)
  throw new Error(`the database cannot be made, ${name} says: ${reason}`, { cause: output })
}
