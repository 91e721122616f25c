import { createHash, randomUUID } from 'node:crypto'
import { open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { createGate } from '#platform/places/gate.ts'
import { createOwnedFolder, giveFile } from '#platform/places/owner.ts'
import { PlaceFault, throwPlaceFault } from '#platform/places/place-fault.ts'
import { readThrough } from '#platform/places/read-through.ts'
import { syncFolder } from '#platform/places/sync-folder.ts'
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

/** Milliseconds that the folder may take to answer a call. Tapes and sleeping arrays take minutes. */
const patience = 10 * 60_000

/** Stores backups in a folder. `admit` refuses bytes that would use the reserve of its disk. */
export function createDiskStore(folder: string, admit: (bytes: number) => Promise<void>): BackupStore {
  const gate = createGate({ patience, fault: () => new Error(`the folder ${folder} does not answer`) })
  const throwFault = (error: unknown) => throwPlaceFault(error, folder)
  /** Makes a call to the folder, whose error names the remedy. */
  const ask = <Value>(call: () => Promise<Value>) => gate.attempt(call).catch(throwFault)
  const openToRead = async (path: string) =>
    readThrough(gate, await gate.attempt(() => open(path, 'r'), gate.close).catch(throwFault), {
      highWaterMark: readAtOnce,
    })
  const namesIn = async (path: string): Promise<string[]> =>
    ((await ask(() => readdir(path)).catch(ignoreMissing)) ?? []).toSorted()
  const removeFile = (path: string) => ask(() => rm(path, { force: true }))
  const pathOf = (place: Place, name: string) => join(folder, shelfOf(place, name), name)
  const shelvesOf = async (place: Place) =>
    place === 'archives'
      ? ['archives']
      : (await namesIn(join(folder, 'files'))).map((shelf) => `files/${shelf}`)

  async function writeAll(path: string, content: Readable): Promise<Written> {
    const file = await gate.attempt(() => open(path, 'wx', 0o600), gate.close).catch(throwFault)
    const digest = createHash('sha256')
    let size = 0
    try {
      await ask(() => giveFile(file, dirname(path)))
      for await (const chunk of content as AsyncIterable<Buffer>) {
        await admit(chunk.length)
        digest.update(chunk)
        size += chunk.length
        await ask(() => file.writeFile(chunk))
      }
      await ask(() => file.sync())
    } finally {
      await gate.close(file)
    }
    return { size, sha256: digest.digest('hex') }
  }

  return {
    location: folder,
    pathOf,

    async prepare() {
      for (const place of ['archives', 'files'] as const) {
        await ask(() => createOwnedFolder(join(folder, place), 0o700)).catch((cause: unknown) => {
          if (cause instanceof PlaceFault) throw cause
          const reason = cause instanceof Error ? cause.message : String(cause)
          throw new Error(
            `backups cannot be written (${reason}): check that ${folder} is a folder and belongs to this user`,
            { cause },
          )
        })
        for (const shelf of await shelvesOf(place))
          for (const name of await namesIn(join(folder, shelf)))
            if (name.startsWith(unfinished)) await removeFile(join(folder, shelf, name))
      }
    },

    async *list(place) {
      for (const shelf of await shelvesOf(place)) yield* await namesIn(join(folder, shelf))
    },

    sizeOf: async (place, name) => (await ask(() => stat(pathOf(place, name))).catch(ignoreMissing))?.size,

    writtenAt: async (place, name) =>
      (await ask(() => stat(pathOf(place, name))).catch(ignoreMissing))?.mtime,

    async read(place, name) {
      const path = pathOf(place, name)
      const content = await openToRead(path).catch(ignoreMissing)
      if (content === undefined) throw new MissingInBackup(path)
      return content
    },

    async write(place, name, content) {
      const shelf = join(folder, shelfOf(place, name))
      await ask(() => createOwnedFolder(shelf, 0o700))
      const temporary = join(shelf, `${unfinished}${randomUUID()}`)
      try {
        const written = await writeAll(temporary, content)
        const read = createHash('sha256')
        for await (const chunk of await openToRead(temporary)) read.update(chunk as Buffer)
        if (read.digest('hex') !== written.sha256)
          throw new Error(`the disk of ${folder} does not return what was written to it`)
        await ask(() => rename(temporary, join(shelf, name)))
        await ask(() => syncFolder(shelf))
        return written
      } catch (error) {
        content.destroy()
        // The first error names the cause.
        await removeFile(temporary).catch(() => {})
        throw error
      }
    },

    remove: (place, name) => removeFile(pathOf(place, name)),
  }
}

function ignoreMissing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
  throw error
}
