import type { Readable } from 'node:stream'
import type { StoredFile } from '@pult/contract'
import type { Kysely } from 'kysely'
import { AppError } from '#platform/app-error.ts'
import type { Database } from '#platform/database/schema.ts'
import { type ByteRange, type FileDriver, FileMissing } from '#platform/files/file-driver.ts'
import type { Caller } from '#platform/http/route.ts'
import type { Jobs } from '#platform/jobs/jobs.ts'
import type { Secrets } from '#platform/secrets.ts'
import type { ProjectService } from '../projects/project.service.ts'
import {
  createFileRepository,
  type FileRepository,
  type FoundFile,
  recordOf,
  storedFileOf,
} from './file.repository.ts'
import { displayName } from './file-name.ts'
import type { Files } from './file-store.ts'
import { mayBeShown } from './media-types.ts'
import { createSignedLinks } from './signed-link.ts'
import { checkSpace, noSpace, type SpaceLimits, spaceLeft } from './space.ts'
import { newFilename } from './upload.service.ts'

interface FileParts {
  db: Kysely<Database>
  driver: FileDriver
  secrets: Secrets
  jobs: Jobs
  isVisible: ProjectService['isVisible']
  space: SpaceLimits
}

/** For a click on a download. */
const linkLifetime = 300_000

const removalJob = 'file-removal'
const removedAtOnce = 100

/** Longer than any upload or transcoding is under way before it is known. */
const orphanAge = 24 * 3_600_000

/** Files that are there: who may read them, how they are linked to, and what other rooms do with them. */
export function createFileService({ db, driver, secrets, jobs, isVisible, space }: FileParts) {
  const files = createFileRepository(db)
  const links = createSignedLinks(secrets)

  /** What is not seen does not exist. */
  async function seen(caller: Caller, fileId: string): Promise<FoundFile> {
    const file = await files.find(fileId)
    if (file === undefined || !(await isSeen(caller, file))) throw new AppError('NOT_FOUND')
    return file
  }

  async function isSeen(caller: Caller, { projectId, personId, readers }: FoundFile): Promise<boolean> {
    if (personId === caller.personId) return projectId === null || isVisible(caller, projectId)
    if (readers === 'person' || projectId === null) return caller.isRoot
    return isVisible(caller, projectId)
  }

  async function open(filename: string, range?: ByteRange): Promise<Readable> {
    return driver.read(filename, range).catch((error: unknown) => {
      throw error instanceof FileMissing ? new AppError('NOT_FOUND') : error
    })
  }

  /** Deletes the bytes of what was released, then what is known of them. */
  async function removeReleased(from = files): Promise<'done'> {
    for (;;) {
      const released = await from.released(removedAtOnce)
      if (released.length === 0) return 'done'
      for (const { filename } of released) await driver.remove(filename)
      await from.forget(released.map(({ id }) => id))
    }
  }
  jobs.define(removalJob, () => removeReleased(), {
    retryDelay: 30,
    retryLimit: 5,
    longest: 600,
    pollInterval: 5,
    parallel: 1,
  })

  /** Bytes of which nothing is known, because a process ended between writing them and saying so. */
  async function removeOrphans(from: FileRepository): Promise<void> {
    for await (const names of driver.olderThan(orphanAge)) {
      for (const name of await from.unknownAmong(names)) await driver.remove(name)
    }
  }

  const door: Files = {
    async claim(trx, upload) {
      const file = await createFileRepository(trx).claim(upload)
      if (file === undefined) throw new AppError('UPLOAD_INCOMPLETE')
      return recordOf(file)
    },

    async keep(file, content, signal) {
      const place = { projectId: file.projectId, personId: file.personId }
      const filename = newFilename()
      const most = await db.transaction().execute((trx) => spaceLeft(createFileRepository(trx), place, space))
      const { contentType, width = null, height = null } = file
      const tooLong = () => noSpace(place)
      const { size, sha256 } = await driver.write(filename, content, { contentType, most, tooLong, signal })
      try {
        const made = await db.transaction().execute(async (trx) => {
          const within = createFileRepository(trx)
          await checkSpace(within, place, size, space)
          signal?.throwIfAborted()
          return within.add({
            ...place,
            filename,
            readers: file.readers,
            name: displayName(file.name),
            contentType,
            size,
            sha256,
            width,
            height,
            lifetime: file.lifetime,
          })
        })
        return recordOf(made)
      } catch (error) {
        await driver.remove(filename)
        throw error
      }
    },

    setLifetime: (trx, fileIds, lifetime) => createFileRepository(trx).setLifetime(fileIds, lifetime),

    async open(fileId, range) {
      const file = await files.find(fileId)
      if (file === undefined) throw new AppError('NOT_FOUND')
      return open(file.filename, range)
    },

    async find(fileId) {
      const file = await files.find(fileId)
      return file && recordOf(file)
    },

    link: ({ id, contentType }, { lifetime, inline }) =>
      links.make(id, { lifetime, isInline: inline && mayBeShown(contentType) }).url,

    async release(trx, fileIds) {
      if (fileIds.length === 0) return
      await createFileRepository(trx).release(fileIds)
      await jobs.send(trx, removalJob, {})
    },
  }

  return {
    files: door,
    open,

    read: async (caller: Caller, fileId: string): Promise<StoredFile> =>
      storedFileOf(await seen(caller, fileId)),

    async link(caller: Caller, fileId: string): Promise<{ url: string; expiresAt: string }> {
      const { id } = await seen(caller, fileId)
      const { url, expiresAt } = links.make(id, { lifetime: linkLifetime, isInline: false })
      return { url, expiresAt: expiresAt.toISOString() }
    },

    /** The file that an address shows, and how. */
    async linked(fileId: string, query: Readonly<Record<string, unknown>>) {
      const link = links.read(fileId, query)
      const file = link && (await files.findUntil(fileId, link.until))
      if (link === undefined || file === undefined) throw new AppError('NOT_FOUND')
      return { file, isInline: link.isInline && mayBeShown(file.contentType), until: link.until }
    },

    async remove(caller: Caller, fileId: string): Promise<void> {
      const { personId, isClaimed } = await seen(caller, fileId)
      if (personId !== caller.personId || isClaimed) throw new AppError('FORBIDDEN')
      await db.transaction().execute(async (trx) => {
        if (!(await createFileRepository(trx).releaseUnclaimed(fileId, personId)))
          throw new AppError('FORBIDDEN')
        await jobs.send(trx, removalJob, {})
      })
    },

    /** Once an hour: what nobody needs any more, and what nobody knows of. */
    async sweepFiles(patient: Kysely<Database>): Promise<void> {
      const from = createFileRepository(patient)
      await from.releaseUnneeded()
      await removeReleased(from)
      await removeOrphans(from)
    },
  }
}
export type FileService = ReturnType<typeof createFileService>
