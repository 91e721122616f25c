import { readSpace } from './space.ts'

/** Why a folder of the operator cannot be used, and the remedy, in one line. */
export class PlaceFault extends Error {
  override readonly name = 'PlaceFault'
}

const pathOf = (error: Error, folder: string) =>
  'path' in error && typeof error.path === 'string' ? error.path : folder

/** Returns why this user may not use a path. */
function forbidden(error: Error, folder: string): string {
  const uid = process.getuid?.()
  const remedy = uid === undefined ? 'give this user access' : `run chown -R ${uid} ${folder}`
  const user = uid === undefined ? 'this user' : `the user ${uid}, which runs this program,`
  return `${user} may not use ${pathOf(error, folder)} (${error.message}): ${remedy}`
}

async function full(folder: string): Promise<string> {
  const space = await readSpace(folder).catch(() => undefined)
  return space?.inodes === 0
    ? `the disk of ${folder} has no free inodes: delete files there, or use another disk`
    : `the disk of ${folder} is full: free space there, or use another disk`
}

const descriptions: Record<string, (error: Error, folder: string) => string | Promise<string>> = {
  EACCES: forbidden,
  EPERM: forbidden,
  ENOTDIR: (error, folder) =>
    `${folder} cannot be used (${error.message}): check that it is a folder and belongs to this user`,
  EROFS: (_error, folder) =>
    `${folder} is read-only: mount it for writing. A systemd unit must name it in ReadWritePaths`,
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
