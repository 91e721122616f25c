import { access, chown, lstat, mkdir, rmdir, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { StartFault } from '../../start-fault.ts'
import type { DataFolder } from './data-folder.ts'
import { errorCode } from './data-folder.ts'
import type { ServerUser } from './program.ts'
import { isRoot } from './server-user.ts'

/** TCP is off; the port is part of the socket's name. */
export const socketPort = 5432

/** The limit of macOS is 103 bytes plus a zero; that of Linux is slightly higher. */
const longestSocketPath = 103

export const socketPath = (folder: string, port: number = socketPort) => join(folder, `.s.PGSQL.${port}`)

export const hasSocket = (folder: string, port: number) =>
  access(socketPath(folder, port)).then(
    () => true,
    () => false,
  )

const fits = (folder: string) => Buffer.byteLength(socketPath(folder)) <= longestSocketPath

/**
 * Returns the folder of the socket: the database folder, which is closed to other users, or a dedicated folder below
 * the system's runtime or temporary folder if the path is too long. A restart reuses the previous folder, because the
 * application connects there.
 */
export async function chooseSocketFolder(
  folder: DataFolder,
  user: ServerUser | undefined,
  { previous, places = shortPlaces() }: { previous?: string | undefined; places?: string[] } = {},
): Promise<string> {
  if (previous !== undefined && (previous === folder.cluster || (await makePrivateFolder(previous, user)))) {
    return previous
  }
  if (fits(folder.cluster)) return folder.cluster
  const tried: string[] = []
  for (const place of places) {
    const short = join(place, shortName(folder))
    if (!fits(short)) continue
    tried.push(short)
    if ((await keepsNames(place)) && (await makePrivateFolder(short, user))) return short
  }
  throw new StartFault(
    `the path of the data folder ${folder.path} is too long for a socket, and no private folder could be made ` +
      `instead (${tried.join(', ')}): set PULT_DATA to a shorter path`,
  )
}

/** Removes the dedicated folder once the server has stopped. */
export async function removeShortSocketFolder(folder: DataFolder, socketFolder: string): Promise<void> {
  if (basename(socketFolder) === shortName(folder)) await rmdir(socketFolder).catch(() => {})
}

const shortName = ({ id }: DataFolder) => `pult-${id}`

const shortPlaces = () => (isRoot() ? ['/run', '/tmp'] : [tmpdir(), '/tmp'])

/** Returns whether other users cannot rename our entries: a world-writable folder needs the sticky bit. */
async function keepsNames(place: string): Promise<boolean> {
  const found = await stat(place).catch(() => undefined)
  return found !== undefined && ((found.mode & 0o022) === 0 || (found.mode & 0o1000) !== 0)
}

/** Returns false if the folder cannot be created, or another user created it first. */
async function makePrivateFolder(path: string, user: ServerUser | undefined): Promise<boolean> {
  const self = process.getuid?.() ?? -1
  try {
    await mkdir(path, { mode: 0o700 })
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') return false
  }
  const found = await lstat(path)
  const isOurs = found.uid === self || found.uid === user?.uid
  if (!found.isDirectory() || !isOurs || (found.mode & 0o077) !== 0) return false
  if (user !== undefined && found.uid !== user.uid) await chown(path, user.uid, user.gid)
  return true
}
