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
import { type SpaceLimits, spaceLeft, takeSpace } from './space.ts'
import { newFilename } from './upload.service.ts'

interface FileParts {
  db: Kysely<Database>
  driver: FileDriver
  secrets: Secrets
  jobs: Jobs
  isVisible: ProjectService['isVisible']
  space: SpaceLimits
  /** The time of the database in milliseconds. */
  now: () => number
}

/** DEC-49: a download link is valid for at least 10 min. */
const linkLifetime = 600_000

const removalJob = 'file-removal'
const removedAtOnce = 100

/**
 * Milliseconds after which bytes without a row are deleted: longer than any upload or transcoding takes before its
 * row exists.
 */
const orphanAge = 24 * 3_600_000

/** Stored files: read permission, links, and operations for other rooms. */
export function createFileService({ db, driver, secrets, jobs, isVisible, space, now }: FileParts) {
  const files = createFileRepository(db)
  const links = createSignedLinks(secrets, now)

  /** Returns a file that the caller may see, and throws NOT_FOUND for every other file. */
  async function seen(caller: Caller, fileId: string): Promise<FoundFile> {
    const file = await files.find(fileId)
    if (file === undefined || !(await isSeen(caller, file))) throw new AppError('NOT_FOUND')
    return file
  }

  async function isSeen(
    caller: Pick<Caller, 'personId' | 'isRoot' | 'scope'>,
    { projectId, personId, readers }: FoundFile,
    isProjectVisible = (id: string) => isVisible(caller, id),
  ): Promise<boolean> {
    if (personId === caller.personId) return projectId === null || isProjectVisible(projectId)
    if (readers === 'person' || projectId === null) return caller.isRoot
    return isProjectVisible(projectId)
  }

  async function open(filename: string, range?: ByteRange): Promise<Readable> {
    return driver.read(filename, range).catch((error: unknown) => {
      throw error instanceof FileMissing ? new AppError('NOT_FOUND') : error
    })
  }

  /** Deletes the bytes of released files, then their rows. */
  async function removeReleased(from = files): Promise<'done'> {
    for (;;) {
      const released = await from.released(removedAtOnce)
      if (released.length === 0) return 'done'
      for (const { filename } of released) await driver.remove(filename)
      await from.removeRows(released.map(({ id }) => id))
    }
  }
  jobs.define(removalJob, () => removeReleased(), {
    retryDelay: 30,
    retryLimit: 5,
    longest: 600,
    pollInterval: 5,
    parallel: 1,
  })

  /** Deletes bytes without a row, left by a process that ended before it wrote the row. */
  async function removeOrphans(from: FileRepository): Promise<void> {
    for await (const names of driver.olderThan(orphanAge)) {
      for (const name of await from.unknownAmong(names)) await driver.remove(name)
    }
  }

  const operations: Files = {
    async claim(trx, upload) {
      const file = await createFileRepository(trx).claim(upload)
      if (file === undefined) throw new AppError('UPLOAD_INCOMPLETE')
      return recordOf(file)
    },

    async keep(file, content, signal) {
      const place = { projectId: file.projectId, personId: file.personId }
      const filename = newFilename()
      const { most, tooLong } = await spaceLeft(files, place, space)
      const { contentType, width = null, height = null } = file
      const { size, sha256 } = await driver.write(filename, content, { contentType, most, tooLong, signal })
      try {
        return await db.transaction().execute(async (trx) => {
          const within = createFileRepository(trx)
          const made = await within.add({
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
          if ((await takeSpace(within, place, { space })).length > 0) await jobs.send(trx, removalJob, {})
          signal?.throwIfAborted()
          return recordOf(made)
        })
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

    async find(fileId, within) {
      const file = await (within === undefined ? files : createFileRepository(within)).find(fileId)
      return file && recordOf(file)
    },

    link: ({ sessionId: session }, { id: fileId, contentType }, { lifetime, inline }) =>
      links.make({ fileId, session }, { lifetime, isInline: inline && mayBeShown(contentType) }).url,

    async linksFor(caller, fileIds, lifetime) {
      const made = new Map<string, string>()
      if (fileIds.length === 0) return made
      const asked = new Map<string, Promise<boolean>>()
      const isProjectVisible = (id: string) => {
        const answer = asked.get(id) ?? isVisible(caller, id)
        asked.set(id, answer)
        return answer
      }
      for (const file of await files.findAll(fileIds)) {
        if (!(await isSeen(caller, file, isProjectVisible))) continue
        const place = { fileId: file.id, session: caller.sessionId }
        made.set(file.id, links.make(place, { lifetime, isInline: false }).url)
      }
      return made
    },

    async release(trx, fileIds) {
      if (fileIds.length === 0) return
      await createFileRepository(trx).release(fileIds)
      await jobs.send(trx, removalJob, {})
    },

    withhold: (trx, fileIds) => createFileRepository(trx).withhold(fileIds),

    restore: (trx, fileIds) => createFileRepository(trx).restore(fileIds),

    async releaseTemporary(trx, fileIds) {
      if (fileIds.length === 0) return
      await createFileRepository(trx).releaseTemporary(fileIds)
      await jobs.send(trx, removalJob, {})
    },
  }

  return {
    files: operations,
    open,

    read: async (caller: Caller, fileId: string): Promise<StoredFile> =>
      storedFileOf(await seen(caller, fileId)),

    async link(caller: Caller, fileId: string): Promise<{ url: string; expiresAt: string }> {
      const { id } = await seen(caller, fileId)
      const place = { fileId: id, session: caller.sessionId }
      const { url, expiresAt } = links.make(place, { lifetime: linkLifetime, isInline: false })
      return { url, expiresAt: expiresAt.toISOString() }
    },

    /**
     * Returns the file of a signed link, its disposition, and the whole seconds until the link expires. Each request
     * checks that the session lives and that its holder may still see the file.
     */
    async linked(fileId: string, query: Readonly<Record<string, unknown>>) {
      const link = links.read(fileId, query)
      const found = link && (await files.findLinked(link))
      if (link === undefined || found === undefined) throw new AppError('NOT_FOUND')
      const { file, holder } = found
      if (!(await isSeen(holder, file))) throw new AppError('NOT_FOUND')
      return {
        file,
        isInline: link.isInline && mayBeShown(file.contentType),
        left: Math.max(0, Math.floor(link.until - now() / 1000)),
      }
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

    /** Hourly clean-up: releases unneeded files and deletes bytes without a row. */
    async sweepFiles(patient: Kysely<Database>): Promise<void> {
      const from = createFileRepository(patient)
      await from.releaseUnneeded()
      await removeReleased(from)
      await from.removeUnusedPlaces()
      await removeOrphans(from)
    },
  }
}
export type FileService = ReturnType<typeof createFileService>
