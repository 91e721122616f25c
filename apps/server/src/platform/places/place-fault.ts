import { readSpace } from './space.ts'

/** Why a folder of the operator cannot be used, and the remedy, in one line. */
export class PlaceFault extends Error {
  override readonly name = 'PlaceFault'
}

const pathOf = (error: Error, folder: string) =>
  'path' in error && typeof error.path === 'string' ? error.path : folder

function remedyFor(uid: number | undefined, folder: string): string {
  if (uid === undefined) return 'give this user access'
  // Root may use each folder of this machine, and giving the folder to root would lock the server out.
  if (uid === 0)
    return 'run the command as the user of the server. The share may refuse root (root_squash), or the file is immutable'
  return `run chown -R ${uid} ${folder}`
}

/** Returns why this user may not use a path. */
function forbidden(error: Error, folder: string): string {
  const uid = process.getuid?.()
  const remedy = remedyFor(uid, folder)
  const user = uid === undefined ? 'this user' : `the user ${uid}, which runs this program,`
  return `${user} may not use ${pathOf(error, folder)} (${error.message}): ${remedy}`
}

async function full(folder: string): Promise<string> {
  const space = await readSpace(folder).catch(() => undefined)
  return space?.inodes === 0
    ? `the disk of ${folder} has no free inodes: delete files there, or use another disk`
    : `the disk of ${folder} is full: free space there, or use another disk`
}

/** Errors of a network share or a FUSE file system whose server or program has ended. */
export const lostShareCodes: readonly string[] = ['ESTALE', 'ENOTCONN', 'ENODEV', 'EHOSTDOWN']

const lostShare = (error: Error, folder: string) =>
  `the share of ${folder} is gone (${error.message}): mount it again`

const descriptions: Record<string, (error: Error, folder: string) => string | Promise<string>> = {
  EACCES: forbidden,
  EPERM: forbidden,
  ENOTDIR: (error, folder) =>
    `${folder} cannot be used (${error.message}): check that it is a folder and belongs to this user`,
  EROFS: (_error, folder) =>
    `${folder} is read-only: mount it for writing. A systemd unit must name it in ReadWritePaths`,
  ...Object.fromEntries(lostShareCodes.map((code) => [code, lostShare])),
  ENOSPC: (_error, folder) => full(folder),
  EDQUOT: (_error, folder) => full(folder),
}

/** Throws a {@link PlaceFault} for an error that the operator of the folder can remedy, and any other unchanged. */
export async function throwPlaceFault(error: unknown, folder: string): Promise<never> {
  if (!(error instanceof Error && 'code' in error)) throw error
  const describe = descriptions[String(error.code)]
  if (describe === undefined) throw error
  throw Object.assign(new PlaceFault(await describe(error, folder), { cause: error }), { code: error.code })
}
