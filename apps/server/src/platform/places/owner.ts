import { constants, type FileHandle, lchown, lstat, open, readdir, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { createFolder } from '../create-folder.ts'
import { PlaceFault } from './place-fault.ts'

/*
 * A command that root runs writes to folders of the user of the server. Its files get the owner of their folder: as
 * root's, they would lock the server out.
 */

/** Answers of file systems whose entries have a fixed owner. */
const fixedOwner: ReadonlySet<unknown> = new Set(['EINVAL', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EPERM'])

/** Returns the owner of a folder if root has to give its files away. */
async function otherOwnerOf(folder: string): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const owner = await stat(folder)
  return owner.uid === 0 ? undefined : owner
}

interface Owned {
  owner: { uid: number }
  /** Reads the owner that a file has. */
  read: () => Promise<{ uid: number }>
  folder: string
}

/**
 * Accepts that the owner of a file cannot be changed if the file has the right one. Throws a {@link PlaceFault} if it
 * remains that of root, or of the user whom a share takes root for: the server could not read it.
 */
async function acceptFixed(error: unknown, { owner, read, folder }: Owned): Promise<void> {
  if (!(error instanceof Error && 'code' in error && fixedOwner.has(error.code))) throw error
  const { uid } = await read()
  if (uid === owner.uid) return
  const reason =
    uid === 0
      ? 'root may not give it away, for example in a container without CAP_CHOWN'
      : 'the share maps root to another user (root_squash)'
  throw new PlaceFault(
    `${folder} belongs to the user ${owner.uid}, and what root creates there does not: ${reason}. Run the command as the user ${owner.uid}`,
    { cause: error },
  )
}

/** Gives an open file to the owner of its folder. By its handle, because that user can replace the name by a link. */
export async function giveFile(file: Pick<FileHandle, 'chown' | 'stat'>, folder: string): Promise<void> {
  const owner = await otherOwnerOf(folder)
  if (owner === undefined) return
  await file
    .chown(owner.uid, owner.gid)
    .catch((error: unknown) => acceptFixed(error, { owner, read: () => file.stat(), folder }))
}

/** Creates a file, which must not exist, for the owner of its folder, and opens it for appending. */
export async function createOwnedFile(path: string, mode: number): Promise<FileHandle> {
  const file = await open(path, 'ax', mode)
  try {
    await giveFile(file, dirname(path))
    return file
  } catch (error) {
    await file.close()
    // The owner of the folder could not use it.
    await rm(path, { force: true }).catch(() => {})
    throw error
  }
}

async function giveFolder(path: string): Promise<void> {
  const folder = await open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  try {
    await giveFile(folder, dirname(path))
  } catch (error) {
    // The owner of the parent folder could not use it.
    await rmdir(path).catch(() => {})
    throw error
  } finally {
    await folder.close()
  }
}

/** Gives a folder, with everything in it, to the owner of its parent folder. */
export async function giveTree(path: string): Promise<void> {
  const owner = await otherOwnerOf(dirname(path))
  if (owner === undefined) return
  // With types, because the list of names alone leads through links to other folders.
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  for (const entry of [path, ...entries.map(({ parentPath, name }) => join(parentPath, name))])
    await lchown(entry, owner.uid, owner.gid).catch((error: unknown) =>
      acceptFixed(error, { owner, read: () => lstat(entry), folder: dirname(path) }),
    )
}

/**
 * Creates a folder with its missing parents, each for the owner of the folder that contains it. Returns the first one
 * that it created, and undefined if the folder exists.
 */
export async function createOwnedFolder(path: string, mode?: number): Promise<string | undefined> {
  const first = await createFolder(path, mode)
  if (first === undefined || process.getuid?.() !== 0) return first
  let made = first
  await giveFolder(made)
  for (const name of relative(first, path).split(sep)) {
    if (name === '') continue
    made = join(made, name)
    await giveFolder(made)
  }
  return first
}
