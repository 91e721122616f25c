import { createHash, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Config } from '../config.ts'
import { type BackupStore, isLost } from './backup-store.ts'
import { ForeignBackup, isSignedBy, type Signer } from './signer.ts'
import { beside, linesOf, type Spool } from './spool.ts'

/** The list of an archive is missing, has changed, or is not signed by this installation. */
export class DamagedList extends Error {
  override readonly name = 'DamagedList'
}

const archivePattern = /^\d{8}T\d{9}Z-[0-9a-f]{8}\.pult$/
const filePattern = /^(?:[0-9a-f]{32}-[0-9a-f]{64}|[0-9a-f]{64}\.rows)(?:\.[0-9a-f]{16}\.age)?$/
const listOf = (archive: string) => `${archive}.files`
/** The first line of a list: the digests of the archive's stored bytes and of the list's further lines, signed. */
const headPattern = /^pult-list 1 ([0-9a-f]{64}) ([0-9a-f]{64}) ([A-Za-z0-9+/=]+)$/
const day = 86_400_000

export interface FoundArchive {
  name: string
  path: string
  createdAt: Date
  size: number
}

/** A file in the store, and the digest of its stored bytes, which can be checked without the private key. */
export interface ListedFile {
  stored: string
  sha256: string
}

export interface Retention {
  /** Number of days whose newest archives are kept. */
  keep: number
  /**
   * Days after which an archive is deleted, once so many later days have an archive; undefined for no limit. The newest
   * archive is never deleted.
   */
  keepDays?: number | undefined
  /** Number of hours whose newest archives are kept as well. */
  keepHours?: number | undefined
  /** Days between two scheduled backups. */
  spacing?: number | undefined
}

/** Returns which archives the settings keep. */
export const retentionOf = ({
  keep,
  keepDays,
  schedule,
}: Pick<Config['backup'], 'keep' | 'keepDays' | 'schedule'>): Retention => ({
  keep,
  keepDays,
  keepHours: schedule === 'hourly' ? 24 : 0,
  spacing: schedule === 'weekly' ? 7 : 1,
})

/** Milliseconds by which the clocks of two machines may differ. */
const clockTolerance = 3_600_000

/** Returns whether an archive is from the future, because the clock was wrong when it was made. */
export const isAhead = (createdAt: Date, now: number): boolean => createdAt.getTime() > now + clockTolerance

/**
 * Returns the archives to keep, of names that are ordered newest first: the newest of each of the newest days and hours.
 * A clock that was wrong must not delete backups, so archives of the future stay and take no other's place, and the
 * present alone makes none too old.
 */
export function keptOf(
  names: readonly string[],
  { keep, keepDays = Infinity, keepHours = 0, spacing = 1 }: Retention,
  now: number,
): Set<string> {
  const ahead = names.filter((name) => isAhead(timeIn(name), now))
  const others = names.filter((name) => !ahead.includes(name))
  const newestOf = (timeOf: (name: string) => string) =>
    [...Map.groupBy(others, timeOf).values()].flatMap((same) => same.slice(0, 1))
  const days = newestOf(dayIn)
  const isOld = (name: string) =>
    days.findIndex((newest) => dayIn(newest) === dayIn(name)) * spacing >= keepDays &&
    now - timeIn(name).getTime() > keepDays * day
  return new Set([
    ...ahead,
    ...others.slice(0, 1),
    ...[...days.slice(0, keep), ...newestOf(hourIn).slice(0, keepHours)].filter((name) => !isOld(name)),
  ])
}

/** What the signature of a list proves: an archive's name belongs to these bytes, which need these files. */
const signedText = (archive: string, archiveDigest: string, listDigest: string) =>
  `pult backup\n${archive}\n${archiveDigest}\n${listDigest}\n`

export const filenameIn = (stored: string) => stored.slice(0, 32)
export const digestIn = (stored: string) => stored.slice(33, 97)
/** Returns whether a stored file contains rows. */
export const hasRows = (stored: string) => stored.startsWith('.rows', 64)

/** Manages the archives in a store, and the signed lists of the files that they need. */
export function openBackupFolder(store: BackupStore) {
  async function names(): Promise<string[]> {
    const found: string[] = []
    for await (const name of store.list('archives')) if (archivePattern.test(name)) found.push(name)
    return found.toReversed()
  }

  const foundAs = (name: string, size: number): FoundArchive => ({
    name,
    path: store.pathOf('archives', name),
    createdAt: timeIn(name),
    size,
  })

  /** Returns the digests in the first line of a list. Throws {@link ForeignBackup} unless `signer` has signed them. */
  function headOf(archive: string, line: string, signer: string) {
    const [, archiveDigest = '', listDigest = '', signature = ''] = headPattern.exec(line) ?? []
    const signed = signedText(archive, archiveDigest, listDigest)
    if (!isSignedBy(signer, signed, Buffer.from(signature, 'base64')))
      throw new ForeignBackup(store.pathOf('archives', archive))
    return { archiveDigest, listDigest }
  }

  /**
   * Yields the files that an archive needs, ordered by name. Throws {@link ForeignBackup} unless `signer` has signed
   * the list, and {@link DamagedList} at the end if the list has changed.
   */
  async function* filesOf(archive: string, signer: string): AsyncGenerator<ListedFile> {
    const digest = createHash('sha256')
    let head: ReturnType<typeof headOf> | undefined
    for await (const line of linesOf(await store.read('archives', listOf(archive)))) {
      if (head === undefined) head = headOf(archive, line, signer)
      else {
        digest.update(`${line}\n`)
        const [stored = '', sha256 = ''] = line.split(' ')
        yield { stored, sha256 }
      }
    }
    if (head === undefined) throw new ForeignBackup(store.pathOf('archives', archive))
    if (digest.digest('hex') !== head.listDigest)
      throw new DamagedList(`${store.pathOf('archives', listOf(archive))} is damaged`)
  }

  /** Returns whether the list of an archive is complete and unchanged. */
  async function isListed(archive: string, signer: string): Promise<boolean> {
    try {
      await readWhole(filesOf(archive, signer))
      return true
    } catch (error) {
      if (error instanceof DamagedList || error instanceof ForeignBackup || isLost(error)) return false
      throw error
    }
  }

  /**
   * Deletes files that no archive needs. Young files stay: a backup that runs at the same time, for example of a copied
   * installation, may have stored them, and its archive is not there yet.
   */
  async function deleteUnneeded(archives: readonly string[], signer: string, now: number): Promise<void> {
    const isYoung = async (name: string) =>
      ((await store.writtenAt('files', name))?.getTime() ?? -Infinity) > now - day
    const lists = archives.map((name) => beside(filesOf(name, signer), ({ stored }) => stored))
    for await (const name of store.list('files')) {
      const needed = await Promise.all(lists.map((one) => one.at(name)))
      const isNeeded = !filePattern.test(name) || needed.some((found) => found.length > 0)
      if (!isNeeded && !(await isYoung(name))) await store.remove('files', name)
    }
    await Promise.all(lists.map((one) => one.close()))
  }

  return {
    store,
    filesOf,
    isListed,

    /** Returns the digest of an archive's stored bytes. Throws {@link ForeignBackup} unless `signer` has signed it. */
    async digestOf(archive: string, signer: string): Promise<string> {
      const lines = linesOf(await store.read('archives', listOf(archive)))
      for await (const line of lines) return headOf(archive, line, signer).archiveDigest
      return headOf(archive, '', signer).archiveDigest
    },

    /** Newest first. */
    async list(): Promise<FoundArchive[]> {
      const all = await names()
      return Promise.all(all.map(async (name) => foundAs(name, (await store.sizeOf('archives', name)) ?? 0)))
    },

    /** Writes an archive whose name appears only when it and its list are complete. */
    async addArchive(
      content: Readable,
      at: Date,
      { needed, signer }: { needed: Spool; signer: Signer },
    ): Promise<FoundArchive> {
      const name = `${at.toISOString().replaceAll(/[-:.]/g, '')}-${randomUUID().slice(0, 8)}.pult`
      let listing: Promise<unknown> | undefined
      async function* withList() {
        const digest = createHash('sha256')
        for await (const chunk of content as AsyncIterable<Buffer>) {
          digest.update(chunk)
          yield chunk
        }
        const digests = [digest.digest('hex'), await digestOfAll(await needed.content())] as const
        const signature = signer.sign(signedText(name, ...digests)).toString('base64')
        const head = `pult-list 1 ${digests.join(' ')} ${signature}\n`
        // Written before the archive: an archive without its list would prevent the deletion of every file.
        listing = store.write('archives', listOf(name), Readable.from(list(head, await needed.content())))
        await listing
      }
      try {
        const { size } = await store.write('archives', name, Readable.from(withList()))
        return foundAs(name, size)
      } catch (error) {
        content.destroy()
        // The content is read ahead, so the list may still be written.
        await listing?.catch(() => {})
        // The store may have kept the archive although its answer was lost. An archive needs its list.
        const isAbsent = await store.sizeOf('archives', name).then(
          (size) => size === undefined,
          () => false,
        )
        if (isAbsent) await store.remove('archives', listOf(name)).catch(() => {})
        throw error
      }
    },

    /**
     * Deletes older archives, and the files that no kept archive needs. Returns the number of deleted archives. Deletes
     * nothing and throws {@link DamagedList} if the list of a kept archive is damaged: its files are unknown.
     *
     * @param now The time of the newest backup.
     */
    async retain(retention: Retention, signer: string, now: number): Promise<number> {
      const all = await names()
      const kept = keptOf(all, retention, now)
      for (const name of kept) {
        if (await isListed(name, signer)) continue
        const path = store.pathOf('archives', name)
        throw new DamagedList(
          `nothing was deleted, because the list of ${path} is damaged: delete ${path} and ${path}.files`,
        )
      }
      for (const name of all) {
        if (kept.has(name)) continue
        await store.remove('archives', name)
        await store.remove('archives', listOf(name))
      }
      await deleteUnneeded([...kept], signer, now)
      return all.length - kept.size
    },
  }
}
export type BackupFolder = ReturnType<typeof openBackupFolder>

async function readWhole(items: AsyncGenerator): Promise<void> {
  while ((await items.next()).done !== true);
}

async function* list(head: string, lines: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield Buffer.from(head)
  yield* lines
}

async function digestOfAll(content: AsyncIterable<Buffer>): Promise<string> {
  const digest = createHash('sha256')
  for await (const chunk of content) digest.update(chunk)
  return digest.digest('hex')
}

/** Day and hour in UTC, so that no node's time zone matters. */
const dayIn = (name: string) => name.slice(0, 8)
const hourIn = (name: string) => name.slice(0, 11)

const timeIn = (name: string) =>
  new Date(name.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z.*$/, '$1-$2-$3T$4:$5:$6.$7Z'))
