import { createHash, hash } from 'node:crypto'
import { Readable } from 'node:stream'
import * as z from 'zod/mini'
import { explain } from '#platform/app-error.ts'
import { PlaceFault } from '#platform/places/place-fault.ts'
import { pult } from '#platform/program-name.ts'
import { type ArchiveHeader, BrokenArchive, type PartEnd, type Piece, readArchive } from './archive-format.ts'
import { digestIn, filenameIn, openBackupFolder } from './backup-folder.ts'
import { type BackupStore, isLost, MissingInBackup } from './backup-store.ts'
import { decompressed } from './compression.ts'
import { decrypted, keyFrom, WrongKey } from './encryption.ts'
import type { FileEntry } from './make-backup.ts'
import { ForeignBackup } from './signer.ts'
import { beside, linesOf } from './spool.ts'
import type { Table } from './tables.ts'

const entrySchema = z.object({
  filename: z.string().check(z.regex(/^[0-9a-f]{32}$/)),
  contentType: z.string(),
  size: z.number(),
  stored: z.nullable(z.string().check(z.regex(/^[0-9a-f]{32}-[0-9a-f]{64}(\.[0-9a-f]{16}\.age)?$/))),
})

export interface CheckedBackup {
  header: ArchiveHeader
  rows: number
  files: number
  /** Files whose bytes were already missing when the backup was made. */
  missing: number
  /** Names of stored files that are damaged or missing now; empty unless the check accepts them. */
  damaged: ReadonlySet<string>
  tables: (Table & PartEnd)[]
}

export interface BackupSource {
  store: BackupStore
  /** The name of the archive. */
  name: string
  identity: string | undefined
  /** The fingerprint of the installation that must have made the backup. */
  signer: string
}

export interface CheckOptions {
  /** Checks files that are encrypted with another key by the digests of their stored bytes. */
  acceptsOtherKeys?: boolean
  /** Continues after a damaged file. Rows, the archive and its list must be unchanged. */
  acceptsDamagedFiles?: boolean
  /** Receives the number of checked files. */
  onFile?: (done: number) => void
}

export const pathOf = ({ store, name }: BackupSource) => store.pathOf('archives', name)

const useAnother = 'Use another archive, or make a new backup'
/** Other archives share a stored file. */
const storeAgain = () =>
  `The next backup after a failed restore drill stores it again, and so does ${pult('backup --verify')}`
const leaveOut = () => `${pult('restore --without-damaged-files')} restores the rest`

/** A stored file of the archive is missing or has changed. */
class DamagedFile extends Error {
  override readonly name = 'DamagedFile'
}

/**
 * Reads every byte of an archive and of its files, and throws if a byte is missing or has changed, or if another
 * installation made the backup.
 */
export async function checkBackup(source: BackupSource, options: CheckOptions = {}): Promise<CheckedBackup> {
  const path = pathOf(source)
  const tables: CheckedBackup['tables'] = []
  let header: ArchiveHeader | undefined
  let table: Table | undefined
  let hasFiles = false
  try {
    for await (const event of archiveOf(source)) {
      if (event.kind === 'header') header = event.header
      else if (event.kind === 'part') {
        table = event.head.kind === 'table' ? event.head : undefined
        hasFiles ||= event.head.kind === 'files'
      } else if (event.kind === 'partEnd' && table !== undefined) {
        const { rows, bytes, sha256 } = event
        tables.push({ ...table, rows, bytes, sha256 })
      }
    }
  } catch (cause) {
    if (cause instanceof WrongKey || cause instanceof MissingInBackup || cause instanceof ForeignBackup)
      throw cause
    if (cause instanceof PlaceFault) throw cause
    if (cause instanceof Error && /damaged/.test(cause.message)) throw cause
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`${path} is damaged: ${reason}. ${useAnother}`, { cause })
  }
  if (header === undefined || !hasFiles)
    throw new Error(`${path} is damaged: a part is missing. ${useAnother}`)
  const rows = tables.reduce((sum, { rows: some }) => sum + (some ?? 0), 0)
  return { header, rows, tables, ...(await checkFiles(source, options)) }
}

async function checkFiles(
  source: BackupSource,
  { acceptsOtherKeys = false, acceptsDamagedFiles = false, onFile = () => {} }: CheckOptions,
): Promise<Pick<CheckedBackup, 'files' | 'missing' | 'damaged'>> {
  const listed = acceptsOtherKeys
    ? beside(openBackupFolder(source.store).filesOf(source.name, source.signer), ({ stored }) =>
        filenameIn(stored),
      )
    : undefined
  let files = 0
  let missing = 0
  const damagedFiles = new Set<string>()
  for await (const file of filesIn(source)) {
    const found = (await listed?.at(file.filename))?.find(({ stored }) => stored === file.stored)
    if (file.stored === null) missing += 1
    else
      try {
        await checkFile(source, file, file.stored, found?.sha256)
      } catch (error) {
        if (!acceptsDamagedFiles || !(error instanceof DamagedFile)) throw error
        damagedFiles.add(file.stored)
      }
    files += 1
    onFile(files)
  }
  // Only its end proves that the list is unchanged, and it is after every file.
  await listed?.at('~')
  return { files, missing, damaged: damagedFiles }
}

/**
 * Checks one file. A file that is encrypted with another key is checked by the digest of its stored bytes, if known.
 * Throws {@link DamagedFile} only for damage: a store that cannot be asked at present proves none.
 */
async function checkFile(
  { store, identity }: BackupSource,
  { size }: FileEntry,
  name: string,
  storedDigest: string | undefined,
): Promise<void> {
  const path = store.pathOf('files', name)
  const remedy = `${storeAgain()}. ${leaveOut()}`
  let failure: unknown
  async function* watched() {
    try {
      for await (const chunk of await store.read('files', name)) yield chunk as Buffer
    } catch (error) {
      failure = error
      throw error
    }
  }
  try {
    const content = await decrypted(Readable.from(watched(), { objectMode: false }), identity, path)
    const plain = await measured(content)
    if (plain.size !== size || plain.sha256 !== digestIn(name))
      throw damaged(path, 'has different content', remedy)
  } catch (cause) {
    if (cause instanceof WrongKey && storedDigest !== undefined) {
      const raw = await measured(await store.read('files', name))
      if (raw.sha256 === storedDigest) return
      throw damaged(path, 'has different content', remedy)
    }
    if (failure !== undefined && !isLost(failure)) throw unanswered(path, failure)
    throw faultOf(path, failure ?? cause, remedy)
  }
}

/** Reads a piece of a table with the key that the archive contains. */
async function* rowsOf(store: BackupStore, { stored, sha256, key }: Piece): AsyncGenerator<Uint8Array> {
  const path = store.pathOf('files', stored)
  const remedy = `Use another archive. ${storeAgain()}`
  const chunks: Uint8Array[] = []
  try {
    const identity = key === null ? undefined : (await keyFrom(key)).identity
    const content = await decrypted(await store.read('files', stored), identity, path)
    for await (const chunk of decompressed(content)) chunks.push(chunk)
  } catch (cause) {
    throw faultOf(path, cause, remedy)
  }
  // Checked before the database receives a row, whose error would not name the file.
  const rows = Buffer.concat(chunks)
  if (hash('sha256', rows) !== sha256) throw damaged(path, 'has different content', remedy)
  yield rows
}

const damaged = (path: string, what: string, remedy: string, cause?: unknown) =>
  new DamagedFile(`the backup is damaged: ${path} ${what}. ${remedy}`, { cause })

const unanswered = (path: string, cause: unknown) =>
  cause instanceof PlaceFault ? cause : new Error(`${path} cannot be read: ${explain(cause)}`, { cause })

/** Returns why a file cannot be read, with its name and the remedy. */
function faultOf(path: string, cause: unknown, remedy: string): unknown {
  if (cause instanceof MissingInBackup) return damaged(path, 'is missing', remedy, cause)
  if (cause instanceof PlaceFault || cause instanceof DamagedFile) return cause
  return damaged(path, 'cannot be read', remedy, cause)
}

async function measured(content: Readable): Promise<{ size: number; sha256: string }> {
  const digest = createHash('sha256')
  let size = 0
  for await (const chunk of content as AsyncIterable<Buffer>) {
    digest.update(chunk)
    size += chunk.length
  }
  return { size, sha256: digest.digest('hex') }
}

/**
 * Reads an archive. Throws before its end unless its bytes are those that the installation has signed.
 *
 * @param withPieces Also reads the rows that are stored beside the archive.
 */
export async function* archiveOf(source: BackupSource, { withPieces = true } = {}) {
  const { store, name, identity, signer } = source
  const signed = await openBackupFolder(store).digestOf(name, signer)
  const stored = await store.read('archives', name)
  const digest = createHash('sha256')
  async function* hashed() {
    for await (const chunk of stored as AsyncIterable<Buffer>) {
      digest.update(chunk)
      yield chunk
    }
  }
  const plain = await decrypted(Readable.from(hashed(), { objectMode: false }), identity, pathOf(source))
  try {
    yield* readArchive(decompressed(plain), withPieces ? (piece) => rowsOf(store, piece) : undefined)
  } finally {
    // A reader may stop before the end.
    plain.destroy()
  }
  if (digest.digest('hex') !== signed) throw new BrokenArchive('its bytes are not those that were signed')
}

/** Returns the content of a part that an archive has once. */
export async function* contentOf(
  source: BackupSource,
  kind: 'extensions' | 'sequences' | 'files',
): AsyncGenerator<Buffer> {
  let isSelected = false
  for await (const event of archiveOf(source, { withPieces: false })) {
    if (event.kind === 'part') isSelected = event.head.kind === kind
    else if (event.kind === 'data' && isSelected) yield event.chunk
  }
}

export async function* filesIn(source: BackupSource): AsyncGenerator<FileEntry> {
  for await (const line of linesOf(contentOf(source, 'files'))) {
    const entry = entrySchema.safeParse(parsed(line))
    if (!entry.success) throw new Error(`${pathOf(source)} is damaged: its list of files cannot be read`)
    yield entry.data
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
