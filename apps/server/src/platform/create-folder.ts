import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined)

/**
 * Creates a folder with its missing parents. Returns the first one that it created, and undefined if the folder exists.
 * The recursive `mkdir` of Node.js never ends below a folder such as /proc, which exists and answers ENOENT for a new
 * entry.
 */
export async function createFolder(path: string, mode?: number): Promise<string | undefined> {
  try {
    return await createOne(path, mode)
  } catch (error) {
    const parent = dirname(path)
    if (codeOf(error) !== 'ENOENT' || parent === path) throw error
    const first = await createFolder(parent, mode)
    const created = await createOne(path, mode)
    return first ?? created
  }
}

/** Returns the path of the folder if it was missing. */
async function createOne(path: string, mode: number | undefined): Promise<string | undefined> {
  try {
    await mkdir(path, { mode })
    return path
  } catch (error) {
    if (codeOf(error) === 'EEXIST' && (await stat(path)).isDirectory()) return undefined
    throw error
  }
}
