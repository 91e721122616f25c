import { constants, copyFile, open, rename, stat, truncate } from 'node:fs/promises'

const largestLog = 5 * 1024 * 1024

const sizeOf = async (path: string) => (await stat(path).catch(() => undefined))?.size ?? 0

/** Opens the log for a server that is about to start. The server keeps the descriptor and appends. */
export async function openServerLog(path: string) {
  if ((await sizeOf(path)) > largestLog) await rename(path, `${path}.1`)
  return open(path, 'a', 0o600)
}

/** Keeps the log small while a server writes into it: what is cut off stays readable in one older file. */
export async function limitServerLog(path: string, limit = largestLog): Promise<void> {
  if ((await sizeOf(path)) <= limit) return
  await copyFile(path, `${path}.1`)
  await truncate(path)
}

const tailLength = 64 * 1024

/** Why the server that started to write at `offset` gave up, in its own words. */
export async function readFailure(path: string, offset: number): Promise<string | undefined> {
  const file = await open(path, constants.O_RDONLY).catch(() => undefined)
  if (file === undefined) return undefined
  try {
    const { bytesRead, buffer } = await file.read({ buffer: Buffer.alloc(tailLength), position: offset })
    const text = buffer.toString('utf8', 0, bytesRead)
    // The first one is the cause, those after it follow from it; before its log is set up it writes no level.
    return /(?:FATAL|PANIC):\s*(.*)/.exec(text)?.[1] ?? (text.trim().replaceAll(/\s+/g, ' ') || undefined)
  } finally {
    await file.close()
  }
}
