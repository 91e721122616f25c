import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { access, chmod, chown, constants, lstat, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { createOwnedFile, createOwnedFolder } from '../../places/owner.ts'
import { readSpace } from '../../places/space.ts'
import { syncFolder } from '../../places/sync-folder.ts'
import { StartFault } from '../../start-fault.ts'
import type { ServerUser } from './program.ts'
import { canBecome, canReach, isRoot } from './server-user.ts'

/** The paths in a data folder. */
export interface DataFolder {
  /** The canonical path, which identifies the folder between processes. */
  path: string
  /** PostgreSQL's own folder with its socket; only PostgreSQL's user may enter. */
  cluster: string
  /** Files written for PostgreSQL: settings, log, locks, and a copy of the binaries if needed. */
  server: string
  startLock: string
  usersLock: string
  log: string
  /** Distinguishes the processes and socket of this folder from those of other clones. */
  id: string
}

const systemStateFolder = '/var/lib/pult'

/**
 * `<clone>/data`. For root, a folder per clone below the system's state folder, because root's home may be
 * inaccessible to PostgreSQL's user.
 */
export function defaultDataFolder(cloneFolder: string): string {
  if (!isRoot()) return join(cloneFolder, 'data')
  const clone = realpathSync(cloneFolder)
  const name = basename(clone).replaceAll(/[^\w.-]/g, '_') || 'pult'
  return join(systemStateFolder, `${name}-${shortHash(clone)}`)
}

const shortHash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 8)

/** Returns whether a server or a command has used the folder. Its opening reports a folder that cannot be read. */
export const isDataFolder = (dataFolder: string): Promise<boolean> =>
  stat(join(dataFolder, 'postgres-server')).then(
    () => true,
    (error: unknown) => errorCode(error) !== 'ENOENT',
  )

/** Creates the folder if it is missing, and checks that this process can write to it. */
export async function openDataFolder(dataFolder: string): Promise<DataFolder> {
  const given = resolve(dataFolder)
  // Control characters would corrupt PostgreSQL's own files, which contain paths line by line.
  if (/\p{Cc}/u.test(given)) {
    throw new StartFault('the path of the data folder contains a control character')
  }
  try {
    await makeFolder(given)
    const path = await realpath(given)
    const server = join(path, 'postgres-server')
    const folder: DataFolder = {
      path,
      cluster: join(path, 'postgres'),
      server,
      startLock: join(server, 'start.lock'),
      usersLock: join(server, 'users.lock'),
      log: join(server, 'server.log'),
      id: shortHash(path),
    }
    await makeFolder(server)
    if (isRoot()) await chmod(server, 0o711)
    await makeLockFile(folder.startLock)
    await makeLockFile(folder.usersLock)
    return folder
  } catch (error) {
    throw await dataFolderError(given, error)
  }
}

/** Returns the same folder with paths for a second database, to which an upgrade moves the data. */
export async function besideCluster(folder: DataFolder): Promise<DataFolder> {
  const server = join(folder.path, 'postgres-upgrade')
  await makeFolder(server)
  if (isRoot()) await chmod(server, 0o711)
  return {
    ...folder,
    server,
    cluster: join(folder.path, 'postgres.upgrade'),
    log: join(server, 'server.log'),
    id: shortHash(server),
  }
}

/**
 * Creates a folder for its owner only. Parents of root stay accessible to the server's user despite root's umask. What
 * root creates in a folder of another user belongs to that user.
 */
async function makeFolder(folder: string): Promise<void> {
  const parent = await createOwnedFolder(dirname(folder))
  const own = await createOwnedFolder(folder, 0o700)
  const first = parent ?? own
  if (first === undefined) {
    await access(folder, constants.W_OK | constants.X_OK)
    return
  }
  for (let made = folder; made.length >= first.length; made = dirname(made)) {
    // Another owner could have replaced it by a link.
    if (made !== folder && isRoot() && (await lstat(made)).uid === 0) await chmod(made, 0o755)
    await syncFolder(dirname(made))
  }
}

/** Never opens an existing file: closing it would release the lock that this process may hold on it. */
async function makeLockFile(path: string): Promise<void> {
  try {
    await (await createOwnedFile(path, 0o600)).close()
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
    await access(path, constants.R_OK | constants.W_OK)
  }
}

/**
 * Lets only the server's user pass through a data folder that otherwise only root can enter. `stateFolder` is Pult's
 * own folder of all clones: an installation with another database may have created it for root alone.
 */
export async function openForServerUser(
  folder: Pick<DataFolder, 'path'>,
  user: ServerUser,
  stateFolder = systemStateFolder,
): Promise<void> {
  if (await canReach(user, folder.path)) return
  if (dirname(folder.path) === stateFolder && (await stat(stateFolder)).uid === 0) {
    await chmod(stateFolder, 0o755)
    if (await canReach(user, folder.path)) return
  }
  const { uid, mode } = await stat(folder.path)
  if (uid === 0 && (mode & 0o070) === 0) {
    await chown(folder.path, 0, user.gid)
    await chmod(folder.path, (mode & 0o7707) | 0o010)
    if (await canReach(user, folder.path)) return
  }
  if (!(await canBecome(user))) {
    throw new StartFault(
      `PostgreSQL refuses to run as root, and this process, which runs as root, cannot switch to the user ${user.name}: ` +
        'run Pult as an ordinary user, or set DATABASE_URL',
    )
  }
  throw new StartFault(
    `the data folder ${folder.path} is closed to the user ${user.name}, which runs the database because PostgreSQL ` +
      `refuses to run as root: set PULT_DATA to a folder outside private ones such as root's home, or run Pult as ` +
      `an ordinary user`,
  )
}

/** Below this free space, or without an inode, no useful write succeeds. */
const nearlyFull = 4 * 1024 * 1024

export async function isDiskFull(folder: string): Promise<boolean> {
  const space = await readSpace(folder).catch(() => undefined)
  return space !== undefined && (space.free < nearlyFull || space.inodes === 0)
}

/** Returns whether a program's output contains the C library's message about a full disk. */
export const reportsFullDisk = (text: string) => /No space left on device|Disk quota exceeded/.test(text)

export const fullDiskMessage = (folder: string) =>
  `the disk of the data folder ${folder} is full: free some space (a new database takes 100 MB) or, if df -i shows no ` +
  `free inodes, delete files, or set PULT_DATA to a folder on another disk`

const unwritable = new Set(['EACCES', 'EPERM', 'EROFS'])
const full = new Set(['ENOSPC', 'EDQUOT'])
const notAFolder = new Set(['ENOTDIR', 'EEXIST', 'ENAMETOOLONG', 'ELOOP'])

/** Returns a one-line error that names the folder, the path and a remedy. A full disk and a late mount may pass. */
export async function dataFolderError(folder: string, cause: unknown): Promise<Error> {
  const code = errorCode(cause)
  const path =
    cause instanceof Error && 'path' in cause && typeof cause.path === 'string' ? cause.path : folder
  const reason = cause instanceof Error ? cause.message : String(cause)
  if (full.has(code)) return new Error(fullDiskMessage(folder), { cause })
  if (unwritable.has(code)) {
    return new StartFault(
      `the data folder ${folder} cannot be written (${code}): give this user write access to ${path}, or set ` +
        `PULT_DATA to another folder, for example PULT_DATA=/var/lib/pult`,
      { cause },
    )
  }
  if (notAFolder.has(code)) {
    return new StartFault(
      `the data folder ${folder} cannot be created (${code}): set PULT_DATA to another folder, for example PULT_DATA=/var/lib/pult`,
      {
        cause,
      },
    )
  }
  return new Error(`the data folder ${folder} cannot be used: ${reason}`, { cause })
}

export const errorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
