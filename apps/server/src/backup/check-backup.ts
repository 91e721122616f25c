import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import * as z from 'zod/mini'
import { PlaceFault } from '#platform/places/place-fault.ts'
import { type ArchiveHeader, BrokenArchive, type PartEnd, readArchive } from './archive-format.ts'
import { digestIn, filenameIn, openBackupFolder } from './backup-folder.ts'
import { type BackupStore, MissingInBackup } from './backup-store.ts'
import { decompressed } from './compression.ts'
import { decrypted, WrongKey } from './encryption.ts'
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
  /** Receives the number of checked files. */
  onFile?: (done: number) => void
}

export const pathOf = ({ store, name }: BackupSource) => store.pathOf('archives', name)

const useAnother = 'Use another archive, or make a new backup'

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
  { acceptsOtherKeys = false, onFile = () => {} }: CheckOptions,
): Promise<Pick<CheckedBackup, 'files' | 'missing'>> {
  const listed = acceptsOtherKeys
    ? beside(openBackupFolder(source.store).filesOf(source.name, source.signer), ({ stored }) =>
        filenameIn(stored),
      )
    : undefined
  let files = 0
  let missing = 0
  for await (const file of filesIn(source)) {
    const found = (await listed?.at(file.filename))?.find(({ stored }) => stored === file.stored)
    if (file.stored === null) missing += 1
    else await checkFile(source, file, file.stored, found?.sha256)
    files += 1
    onFile(files)
  }
  await listed?.close()
  return { files, missing }
}

/**
 * Checks one file. A file that is encrypted with another key is checked by the digest of its stored bytes, if known.
 */
async function checkFile(
  { store, identity }: BackupSource,
  { size }: FileEntry,
  name: string,
  storedDigest: string | undefined,
): Promise<void> {
  const path = store.pathOf('files', name)
  const damaged = (what: string, cause?: unknown) =>
    new Error(`the backup is damaged: ${path} ${what}. ${useAnother}`, { cause })
  try {
    const content = await decrypted(await store.read('files', name), identity, path)
    const plain = await measured(content)
    if (plain.size !== size || plain.sha256 !== digestIn(name)) throw damaged('has different content')
  } catch (cause) {
    if (cause instanceof MissingInBackup) throw damaged('is missing', cause)
    if (cause instanceof WrongKey && storedDigest !== undefined) {
      const raw = await measured(await store.read('files', name))
      if (raw.sha256 !== storedDigest) throw damaged('has different content')
      return
    }
    if (cause instanceof PlaceFault) throw cause
    if (cause instanceof Error && /damaged/.test(cause.message)) throw cause
    throw damaged('cannot be read', cause)
  }
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

/** Reads an archive. Throws before its end unless its bytes are those that the installation has signed. */
export async function* archiveOf(source: BackupSource) {
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
  yield* readArchive(decompressed(plain))
  if (digest.digest('hex') !== signed) throw new BrokenArchive('its bytes are not those that were signed')
}

/** Returns the content of a part that an archive has once. */
export async function* contentOf(
  source: BackupSource,
  kind: 'extensions' | 'sequences' | 'files',
): AsyncGenerator<Buffer> {
  let isSelected = false
  for await (const event of archiveOf(source)) {
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
