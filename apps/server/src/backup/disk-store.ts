import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { createFolder } from '#platform/create-folder.ts'
import { syncFolder } from '#platform/database/embedded/data-folder.ts'
import {
  type BackupStore,
  MissingInBackup,
  type Place,
  shelfOf,
  unfinished,
  type Written,
} from './backup-store.ts'

/** Bytes of one read from the disk. */
const readAtOnce = 256 * 1024

/** Stores backups in a folder. `admit` refuses bytes that would use the reserve of its disk. */
export function createDiskStore(folder: string, admit: (bytes: number) => Promise<void>): BackupStore {
  const pathOf = (place: Place, name: string) => join(folder, shelfOf(place, name), name)
  const shelvesOf = async (place: Place) =>
    place === 'archives'
      ? ['archives']
      : (await namesIn(join(folder, 'files'))).map((shelf) => `files/${shelf}`)

  return {
    location: folder,
    pathOf,

    async prepare() {
      for (const place of ['archives', 'files'] as const) {
        await createFolder(join(folder, place), 0o700).catch((cause: unknown) => {
          const reason = cause instanceof Error ? cause.message : String(cause)
          throw new Error(
            `backups cannot be written (${reason}): check that ${folder} is a folder and belongs to this user`,
            { cause },
          )
        })
        for (const shelf of await shelvesOf(place))
          for (const name of await namesIn(join(folder, shelf)))
            if (name.startsWith(unfinished)) await rm(join(folder, shelf, name), { force: true })
      }
    },

    async *list(place) {
      for (const shelf of await shelvesOf(place)) yield* await namesIn(join(folder, shelf))
    },

    sizeOf: async (place, name) => (await stat(pathOf(place, name)).catch(ignoreMissing))?.size,

    async read(place, name) {
      const path = pathOf(place, name)
      if ((await stat(path).catch(ignoreMissing)) === undefined) throw new MissingInBackup(path)
      return createReadStream(path, { highWaterMark: readAtOnce })
    },

    async write(place, name, content) {
      const shelf = join(folder, shelfOf(place, name))
      await createFolder(shelf, 0o700)
      const temporary = join(shelf, `${unfinished}${randomUUID()}`)
      try {
        const written = await writeAll(temporary, content, admit)
        const read = createHash('sha256')
        for await (const chunk of createReadStream(temporary, { highWaterMark: readAtOnce }))
          read.update(chunk as Buffer)
        if (read.digest('hex') !== written.sha256)
          throw new Error(`the disk of ${folder} does not return what was written to it`)
        await rename(temporary, join(shelf, name))
        await syncFolder(shelf)
        return written
      } catch (error) {
        content.destroy()
        await rm(temporary, { force: true })
        throw error
      }
    },

    remove: (place, name) => rm(pathOf(place, name), { force: true }),
  }
}

async function writeAll(
  path: string,
  content: Readable,
  admit: (bytes: number) => Promise<void>,
): Promise<Written> {
  const file = await open(path, 'wx', 0o600)
  const digest = createHash('sha256')
  let size = 0
  try {
    for await (const chunk of content as AsyncIterable<Buffer>) {
      await admit(chunk.length)
      digest.update(chunk)
      size += chunk.length
      await file.writeFile(chunk)
    }
    await file.sync()
  } finally {
    await file.close()
  }
  return { size, sha256: digest.digest('hex') }
}

const namesIn = async (folder: string): Promise<string[]> =>
  ((await readdir(folder).catch(ignoreMissing)) ?? []).toSorted()

function ignoreMissing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
  throw error
}
