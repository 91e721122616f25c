import { createReadStream } from 'node:fs'
import { constants, type FileHandle, open, rename, rm, stat, truncate } from 'node:fs/promises'
import { createOwnedFile } from '../../places/owner.ts'
import { errorCode } from './data-folder.ts'

const largestLog = 5 * 1024 * 1024

const sizeOf = async (path: string) => (await stat(path).catch(() => undefined))?.size ?? 0

/** Opens the log for a starting server, which inherits the descriptor and appends. */
export async function openServerLog(path: string): Promise<FileHandle> {
  if ((await sizeOf(path)) > largestLog) await rename(path, `${path}.1`)
  try {
    return await createOwnedFile(path, 0o600)
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
    return open(path, 'a', 0o600)
  }
}

/** Limits the log while a server appends to it. The removed part moves to one older file. */
export async function limitServerLog(path: string, limit = largestLog): Promise<void> {
  if ((await sizeOf(path)) <= limit) return
  // The older file may belong to another user: root, or the one who ran the server before.
  await rm(`${path}.1`, { force: true })
  const former = await createOwnedFile(`${path}.1`, 0o600)
  try {
    await former.writeFile(createReadStream(path))
  } finally {
    await former.close()
  }
  await truncate(path)
}

const tailLength = 64 * 1024

/** Returns the reason that a server logged for its exit. `offset` is where its part of the log begins. */
export async function readFailure(path: string, offset: number): Promise<string | undefined> {
  const file = await open(path, constants.O_RDONLY).catch(() => undefined)
  if (file === undefined) return undefined
  try {
    const { bytesRead, buffer } = await file.read({ buffer: Buffer.alloc(tailLength), position: offset })
    const text = buffer.toString('utf8', 0, bytesRead)
    // The first error is the cause of the later ones. Before its log is set up, the server writes no level.
    return /(?:FATAL|PANIC):\s*(.*)/.exec(text)?.[1] ?? (text.trim().replaceAll(/\s+/g, ' ') || undefined)
  } finally {
    await file.close()
  }
}
