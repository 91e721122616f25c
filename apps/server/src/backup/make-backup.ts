import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type pg from 'pg'
import { to } from 'pg-copy-streams'
import { create } from 'tar'
import { explain } from '#platform/app-error.ts'
import { codeOf, type DatabaseConnection } from '#platform/database/database.ts'
import { inBatches, writtenAtOnce } from '#platform/files/batches.ts'
import { type FileDriver, FileMissing } from '#platform/files/file-driver.ts'
import { createOwnedFolder } from '#platform/places/owner.ts'
import manifest from '../../package.json' with { type: 'json' }
import { type ArchiveHeader, type PartToWrite, writeArchive } from './archive-format.ts'
import {
  type BackupFolder,
  type FoundArchive,
  filenameIn,
  isAhead,
  type ListedFile,
  type Retention,
} from './backup-folder.ts'
import { requirePlace } from './backup-mark.ts'
import { compressed } from './compression.ts'
import { connectClient, onOneConnection } from './connect-client.ts'
import { encrypted, suffixFor } from './encryption.ts'
import { createPieceStore, type PieceStore } from './row-pieces.ts'
import { createSigner } from './signer.ts'
import { beside, linesOf, openSpool, type Spool } from './spool.ts'
import { isUnchanged } from './stored-files.ts'
import { columnsOf, listSequences, listTables, quoted, type Table } from './tables.ts'

export interface BackupParts extends Retention {
  connection: DatabaseConnection
  driver: Pick<FileDriver, 'read'>
  /** The folder of the installed extensions. */
  extensionsFolder: string
  /** For lists that do not fit into memory. */
  temporaryFolder: string
  secret: string
  target: BackupFolder
  /** Without a recipient, the backup is not encrypted and omits the secret. */
  recipient: string | undefined
  /** The temporary key of a restore drill, which can read this archive, all its rows, and the files that it adds. */
  drillRecipient?: string | undefined
  /** Accepts a place without the mark of the earlier backups. */
  isNewPlace?: boolean | undefined
  /** PULT_URL, by which a copy of the installation is recognised. */
  publicUrl?: string | undefined
  /** Reads the stored files and pieces before it uses them again, and stores those that have changed again. */
  verifiesStored?: boolean | undefined
  /** Called before this backup waits for the end of another one. Without it, a concurrent backup is rejected. */
  onWait?: (() => void) | undefined
  onProgress?: ((progress: Progress) => void) | undefined
}

/** Each step counts in its own unit. */
export interface Progress {
  step: 'tables' | 'files' | 'verify' | 'restore' | 'compare'
  done: number
  total: number
}

export interface Backup extends FoundArchive {
  rows: number
  files: number
  /** Files that were not in the target yet. */
  added: number
  /** Stored files and pieces that had changed and were stored again. */
  healed: number
  /** Number of files that the database lists and whose bytes are missing or damaged, and the first of them. */
  missing: number
  missingFirst: string[]
  /** Older archives that were deleted. */
  deleted: number
  /** Why none was deleted. */
  warning?: string
}

/** A file in an archive. `stored` is its name in the target; null if its bytes were missing. */
export interface FileEntry {
  filename: string
  contentType: string
  size: number
  stored: string | null
}

/** Settings with which two servers write the same rows as the same text, in the order in which they are stored. */
export const copySession = `set timezone = 'UTC'; set datestyle = 'ISO, MDY'; set intervalstyle = 'postgres';
  set bytea_output = 'hex'; set extra_float_digits = 1; set synchronize_seqscans = off`

/** Maximum number of missing files that are named. */
const namedMax = 5

/** Backs up a consistent snapshot of everything while users work. */
export async function makeBackup(parts: BackupParts): Promise<Backup> {
  const { target, recipient, secret } = parts
  const signer = createSigner(secret)
  const client = await connectClient(parts.connection, 'pult backup')
  const needed = await openSpool(parts.temporaryFolder)
  try {
    await client.query(copySession)
    await lockBackups(client, parts.onWait)
    const { isNewPlace = false, publicUrl } = parts
    const { fingerprint } = signer
    const markPlace = await requirePlace(target, onOneConnection(client), {
      signer: fingerprint,
      isNewPlace,
      publicUrl,
    })
    await target.store.prepare()
    await client.query('begin isolation level repeatable read read only')
    const header = await readHeader(client, recipient === undefined ? null : secret)
    const found: Found = { rows: 0, files: 0, added: 0, healed: 0, missing: 0, missingFirst: [] }
    const createdAt = new Date(header.createdAt)
    const former = await findFormer(target, fingerprint, createdAt)
    const listFormer = () => (former === undefined ? none() : target.filesOf(former, fingerprint))
    const { store } = target
    const isWhole = async (file: ListedFile) =>
      parts.verifiesStored !== true || (await isUnchanged(store, file))
    const pieces = await createPieceStore({
      store,
      secret,
      recipient,
      former: listFormer(),
      async isWhole(piece) {
        if (await isWhole(piece)) return true
        found.healed += 1
        return false
      },
    })
    const written = writeArchive(
      header,
      partsOf(client, parts, { found, listFormer, isWhole, needed, pieces }),
    )
    const content = await encrypted(compressed(written), recipientsOf(parts))
    const archive = await target.addArchive(content, createdAt, { needed, signer })
    await markPlace()
    return { ...archive, ...found, ...(await deleteOlder(parts, fingerprint, createdAt)) }
  } finally {
    await needed.close()
    await client.end()
  }
}

/** Returns the newest archive whose list is whole. A damaged one must not stop all further backups. */
async function findFormer(target: BackupFolder, signer: string, now: Date): Promise<string | undefined> {
  for (const { name, createdAt } of await target.list())
    if (!isAhead(createdAt, now.getTime()) && (await target.isListed(name, signer))) return name
  return undefined
}

/**
 * The backup is made: neither a damaged list of another archive nor a place that refuses to delete, such as a bucket with
 * retention, makes it fail.
 */
async function deleteOlder(
  parts: BackupParts,
  signer: string,
  now: Date,
): Promise<Pick<Backup, 'deleted' | 'warning'>> {
  try {
    return { deleted: await parts.target.retain(parts, signer, now.getTime()) }
  } catch (error) {
    return { deleted: 0, warning: explain(error) }
  }
}

const recipientsOf = ({ recipient, drillRecipient }: BackupParts) =>
  recipient === undefined ? [] : [recipient, ...(drillRecipient === undefined ? [] : [drillRecipient])]

/** Another backup of this installation is being made. */
export class ConcurrentBackup extends Error {
  override readonly name = 'ConcurrentBackup'
  constructor() {
    super('another backup of this installation is being made')
  }
}

const backupLock = `hashtextextended('pult backup', 0)`

/** Longest wait for the end of another backup. */
const waitMost = '30min'

/**
 * Throws {@link ConcurrentBackup} during another backup, or after waiting for it in vain: it could delete files that
 * this one has just stored. The lock ends with the connection.
 */
async function lockBackups(client: pg.Client, onWait?: () => void): Promise<void> {
  const { rows } = await client.query<{ isAlone: boolean }>(
    `select pg_try_advisory_lock(${backupLock}) as "isAlone"`,
  )
  if (rows[0]?.isAlone === true) return
  if (onWait === undefined) throw new ConcurrentBackup()
  onWait()
  await client.query(`set lock_timeout = '${waitMost}'`)
  await client.query(`select pg_advisory_lock(${backupLock})`).catch((cause: unknown) => {
    throw codeOf(cause) === '55P03' ? new ConcurrentBackup() : cause
  })
  await client.query('set lock_timeout = 0')
}

type Found = Pick<Backup, 'rows' | 'files' | 'added' | 'healed' | 'missing' | 'missingFirst'>

async function readHeader(client: pg.Client, secret: string | null): Promise<ArchiveHeader> {
  const { rows: migrations } = await client.query<{ name: string }>(
    'select name from kysely_migration order by name',
  )
  const { rows: facts } = await client.query<{ postgres: string; at: Date; key: Buffer; hasJobs: boolean }>(
    `select current_setting('server_version') as postgres, now() as at, key_check as key,
       to_regclass('pgboss.version') is not null as "hasJobs"
     from installation`,
  )
  const [fact] = facts
  if (fact === undefined) throw new Error('the installation is empty: its server has never started')
  const jobs = fact.hasJobs
    ? await client.query<{ version: number }>('select version from pgboss.version')
    : null
  return {
    createdAt: fact.at.toISOString(),
    version: manifest.version,
    postgres: fact.postgres,
    jobs: jobs?.rows[0]?.version ?? null,
    migrations: migrations.map(({ name }) => name),
    keyCheck: fact.key.toString('base64'),
    secret,
  }
}

interface Making {
  found: Found
  /** Yields the files that the newest archive needs. */
  listFormer: () => AsyncGenerator<ListedFile>
  /** Returns whether a stored file can be used again. */
  isWhole: (file: ListedFile) => Promise<boolean>
  /** The files that the archive needs. */
  needed: Spool
  pieces: PieceStore
}

async function* partsOf(client: pg.Client, parts: BackupParts, making: Making): AsyncGenerator<PartToWrite> {
  const { onProgress = () => {} } = parts
  const { found, pieces } = making
  const tables = await listTables(client)
  const total = await sizeOf(client, tables)
  let done = 0
  for (const table of tables) {
    const stream = client.query(to(`copy ${columnsOf(table)} to stdout`))
    // After a failure elsewhere the connection ends, and the stream has no reader.
    stream.on('error', () => {})
    yield {
      head: { kind: 'table', ...table },
      content: pieces.divide(
        joined(stream, (bytes) => {
          done += bytes
          onProgress({ step: 'tables', done: Math.min(done, total), total })
        }),
      ),
      rows: () => {
        found.rows += stream.rowCount
        return stream.rowCount
      },
    }
  }
  const sequences = (await listSequences(client)).map(
    ({ schema, name, value }) => [`${quoted(schema)}.${quoted(name)}`, value] as const,
  )
  yield { head: { kind: 'sequences' }, content: json(sequences) }

  const files = await openSpool(parts.temporaryFolder)
  try {
    const count = await spoolFiles(client, files)
    // Files do not change, so the snapshot of the database may end before they are read.
    await client.query('commit')
    yield {
      head: { kind: 'files' },
      content: lines(client, parts, { ...making, content: await files.content(), count }),
    }
  } finally {
    await files.close()
  }

  await createOwnedFolder(parts.extensionsFolder)
  const packages = create({ cwd: parts.extensionsFolder, portable: true }, ['.'])
  yield { head: { kind: 'extensions' }, content: packages }
}

/** Estimates the bytes of the tables as text. */
async function sizeOf(client: pg.Client, tables: readonly Table[]): Promise<number> {
  const names = tables.map(({ schema, name }) => `${quoted(schema)}.${quoted(name)}`)
  const { rows } = await client.query<{ size: string }>(
    'select sum(pg_table_size(name::regclass))::text as size from unnest($1::text[]) name',
    [names],
  )
  return Number(rows[0]?.size ?? 0)
}

type KnownFile = Omit<FileEntry, 'stored'> & { sha256: string | null }

const filesAtOnce = 1000

/** Spools the list of files ordered by name, like the list of the target. */
async function spoolFiles(client: pg.Client, files: Spool): Promise<number> {
  await client.query(`declare known no scroll cursor for
    select filename, content_type as "contentType", size::float8 as size, encode(sha256, 'hex') as sha256 from file
    where stored_at is not null and released_at is null order by filename collate "C"`)
  for (let count = 0; ; ) {
    const { rows } = await client.query<KnownFile>(`fetch ${filesAtOnce} from known`)
    for (const row of rows) await files.add(JSON.stringify(row))
    count += rows.length
    if (rows.length < filesAtOnce) return count
  }
}

interface FilesToStore extends Making {
  content: Readable
  count: number
}

/** Stores new files, and yields the list of all files. */
async function* lines(
  client: pg.Client,
  parts: BackupParts,
  { content, count, found, listFormer, isWhole, needed, pieces }: FilesToStore,
): AsyncGenerator<Buffer> {
  const { target, recipient, onProgress = () => {} } = parts
  const suffix = suffixFor(recipient)
  const present = beside(target.store.list('files'), filenameIn)
  const former = beside(listFormer(), ({ stored }) => filenameIn(stored))
  const list = ({ stored, sha256 }: ListedFile) => needed.add(`${stored} ${sha256}`)
  const rows = pieces.needed().values()
  let next = rows.next().value
  /** The list contains files and pieces in one order. */
  async function listRows(isBefore: (name: string) => boolean): Promise<void> {
    for (; next !== undefined && isBefore(next.stored); next = rows.next().value) await list(next)
  }
  let missing: string[] = []
  async function countMissing(): Promise<void> {
    const lost = await stillListed(client, missing)
    found.missing += lost.length
    found.missingFirst.push(...lost.slice(0, namedMax - found.missingFirst.length))
    missing = []
  }
  let batch = ''
  for await (const line of linesOf(content)) {
    const file = JSON.parse(line) as KnownFile
    const names = await present.at(file.filename)
    // Only the signed list proves that this installation has stored a file: others may write to the place.
    const known = (await former.at(file.filename)).find(
      ({ stored }) => stored.slice(97) === suffix && names.includes(stored),
    )
    const whole = known !== undefined && (await isWhole(known)) ? known : undefined
    const now = whole ?? (await copyFile(parts, file))
    if (now === undefined) {
      missing.push(file.filename)
      if (missing.length >= filesAtOnce) await countMissing()
    } else {
      if (known === undefined) found.added += 1
      else if (whole === undefined) found.healed += 1
      await listRows((name) => name < now.stored)
      await list(now)
    }
    found.files += 1
    onProgress({ step: 'files', done: found.files, total: count })
    const { filename, contentType, size } = file
    batch += `${JSON.stringify({ filename, contentType, size, stored: now?.stored ?? null } satisfies FileEntry)}\n`
    if (batch.length > writtenAtOnce) {
      yield Buffer.from(batch)
      batch = ''
    }
  }
  await countMissing()
  await listRows(() => true)
  await Promise.all([present.close(), former.close()])
  yield Buffer.from(batch)
}

/** Returns the files that the database still lists. A file may have been deleted since the snapshot. */
async function stillListed(client: pg.Client, filenames: readonly string[]): Promise<string[]> {
  if (filenames.length === 0) return []
  const { rows } = await client.query<{ filename: string }>(
    `select filename from file where filename = any($1) and stored_at is not null and released_at is null
     order by filename collate "C"`,
    [filenames],
  )
  return rows.map(({ filename }) => filename)
}

async function* none(): AsyncGenerator<ListedFile> {}

/** Returns undefined if the bytes are missing or do not match the file's digest. */
async function copyFile(parts: BackupParts, file: KnownFile): Promise<ListedFile | undefined> {
  const { driver, target, recipient } = parts
  try {
    const expected = file.sha256 ?? (await digestOf(await driver.read(file.filename)))
    const stored = `${file.filename}-${expected}${suffixFor(recipient)}`
    const digest = createHash('sha256')
    async function* hashed(content: Readable) {
      for await (const chunk of content as AsyncIterable<Buffer>) {
        digest.update(chunk)
        yield chunk
      }
    }
    const content = await encrypted(hashed(await driver.read(file.filename)), recipientsOf(parts))
    const { sha256 } = await target.store.write('files', stored, content)
    if (digest.digest('hex') === expected) return { stored, sha256 }
    await target.store.remove('files', stored)
    return undefined
  } catch (error) {
    if (error instanceof FileMissing) return undefined
    throw error
  }
}

async function digestOf(content: Readable): Promise<string> {
  const digest = createHash('sha256')
  for await (const chunk of content as AsyncIterable<Buffer>) digest.update(chunk)
  return digest.digest('hex')
}

/** Joins small chunks, because PostgreSQL sends one for each row. */
async function* joined(stream: Readable, onBytes: (bytes: number) => void): AsyncGenerator<Buffer> {
  for await (const chunks of inBatches(stream, writtenAtOnce)) {
    const bytes = Buffer.concat(chunks)
    onBytes(bytes.length)
    yield bytes
  }
}

async function* json(value: unknown): AsyncGenerator<Buffer> {
  yield Buffer.from(JSON.stringify(value))
}
