import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable, type Writable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { finished, pipeline } from 'node:stream/promises'
import { sql, type Transaction } from 'kysely'
import { Migrator } from 'kysely/migration'
import type pg from 'pg'
import { getConstructionPlans } from 'pg-boss'
import bossManifest from 'pg-boss/package.json' with { type: 'json' }
import { from } from 'pg-copy-streams'
import { extract } from 'tar'
import type { DatabaseConnection } from '#platform/database/database.ts'
import type { Database } from '#platform/database/schema.ts'
import { type FileDriver, FileMissing } from '#platform/files/file-driver.ts'
import { createOwnedFolder, giveTree } from '#platform/places/owner.ts'
import { filesPlace } from '#platform/places/place-marks.ts'
import { createSecrets } from '#platform/secrets.ts'
import { migrations } from '../../migrations/index.ts'
import manifest from '../../package.json' with { type: 'json' }
import {
  adoptRestoredSecret,
  keepRestoredSecret,
  readSecretFile,
  secretPath,
} from '../installation/secret.ts'
import type { ArchiveHeader } from './archive-format.ts'
import { digestIn } from './backup-folder.ts'
import { archiveOf, type BackupSource, type CheckedBackup, contentOf, filesIn } from './check-backup.ts'
import { connectClient, lowerPriorityOf, onOneConnection } from './connect-client.ts'
import { decrypted } from './encryption.ts'
import type { FileEntry } from './make-backup.ts'
import { linesOf, openSpool } from './spool.ts'
import {
  columnsOf,
  disableTriggers,
  dropEverything,
  dropForeignKeys,
  emptyTables,
  type Table,
} from './tables.ts'

export interface RestoreParts {
  source: BackupSource
  checked: CheckedBackup
  connection: DatabaseConnection
  /** Null restores no files. */
  driver: Pick<FileDriver, 'read' | 'write' | 'identify'> | null
  dataFolder: string
  /** PULT_SECRET. */
  secret: string | undefined
  /** Permits the replacement of an installation that has accounts. */
  mayReplace: boolean
  /** Whether users work on the same machine at the same time. */
  isInBackground?: boolean
}

/** Kysely's migrator waits for the same lock, so a starting server waits for the end of the restore. */
const migrationLock = sql`select pg_advisory_xact_lock(3853314791062309107)`

/** Returns the secret of a backup. Throws if this version of Pult cannot read the data, or the secret is unknown. */
export async function secretFor(
  { version, migrations: executed, keyCheck, secret: archived }: ArchiveHeader,
  { secret: given, dataFolder }: Pick<RestoreParts, 'secret' | 'dataFolder'>,
): Promise<string> {
  if (executed.some((name) => migrations[name] === undefined))
    throw new Error(
      `the backup was made by Pult ${version}, and this is Pult ${manifest.version}: restore it with that version or a later one`,
    )
  const secret = given ?? archived ?? (await readSecretFile(secretPath(dataFolder)))
  if (secret === undefined)
    throw new Error(
      'the backup is not encrypted and contains no secret: set PULT_SECRET to the secret of the installation',
    )
  if (!createSecrets(secret).matches(Buffer.from(keyCheck, 'base64')))
    throw new Error('the secret does not match the backup: set PULT_SECRET to the secret of the installation')
  return secret
}

/**
 * Restores a checked backup. Files and extensions come first and change nothing that exists; then one transaction
 * replaces the database, so that an interruption leaves the former data or the restored one.
 */
export async function restoreBackup(parts: RestoreParts): Promise<void> {
  const { source, checked, connection, driver, dataFolder } = parts
  const secret = await secretFor(checked.header, parts)
  const client = await connectClient(connection, 'pult restore')
  try {
    if (parts.isInBackground === true) await lowerPriorityOf(client)
    await refuseUsedDatabase(client, parts.mayReplace)
    if (driver !== null) await restoreFiles({ source, checked, driver, dataFolder })
    await restoreExtensions(parts)
    if (parts.secret === undefined) await keepRestoredSecret(dataFolder, secret)
    await replaceDatabase(client, parts)
    if (parts.secret === undefined)
      await adoptRestoredSecret(dataFolder, Buffer.from(checked.header.keyCheck, 'base64'))
  } finally {
    await client.end()
  }
}

async function refuseUsedDatabase(client: pg.Client, mayReplace: boolean): Promise<void> {
  const { rows: others } = await client.query(
    `select from pg_stat_activity
     where datname = current_database() and application_name like 'pult%' and pid <> pg_backend_pid()`,
  )
  if (others.length > 0) throw new Error('a server or a command uses the database: stop it first')
  const { rows: tables } = await client.query<{ exists: boolean }>(
    `select to_regclass('public.person') is not null as exists`,
  )
  if (tables[0]?.exists !== true || mayReplace) return
  const { rows: people } = await client.query('select from person limit 1')
  if (people.length > 0)
    throw new Error(
      'the database contains an installation with accounts: --replace deletes it and restores the backup',
    )
}

type Driver = NonNullable<RestoreParts['driver']>

/** Writes no file before the whole list is read, because only the end of the archive proves that it is unchanged. */
async function restoreFiles({
  source,
  checked,
  driver,
  dataFolder,
}: Pick<RestoreParts, 'source' | 'checked' | 'dataFolder'> & { driver: Driver }): Promise<void> {
  const files = await openSpool(dataFolder)
  try {
    for await (const file of filesIn(source)) await files.add(JSON.stringify(file))
    // The server takes a folder without a mark for one that is not mounted.
    await driver.identify()
    for await (const line of linesOf(await files.content())) {
      const file = JSON.parse(line) as FileEntry
      if (file.stored !== null && !checked.damaged.has(file.stored))
        await restoreFile({ source, driver }, file, file.stored)
    }
  } finally {
    await files.close()
  }
}

async function restoreFile(
  { source, driver }: { source: BackupSource; driver: Driver },
  { filename, contentType, size }: FileEntry,
  stored: string,
): Promise<void> {
  if (await hasFile(driver, filename, digestIn(stored))) return
  const { store, identity } = source
  const path = store.pathOf('files', stored)
  const content = await decrypted(await store.read('files', stored), identity, path)
  async function* unchanged() {
    const digest = createHash('sha256')
    for await (const chunk of content as AsyncIterable<Buffer>) {
      digest.update(chunk)
      yield chunk
    }
    if (digest.digest('hex') !== digestIn(stored))
      throw new Error(`the backup is damaged: ${path} has different content`)
  }
  await driver.write(filename, Readable.from(unchanged(), { objectMode: false }), {
    contentType,
    most: size,
    tooLong: () => new Error(`${filename} is longer than its backup`),
  })
}

async function hasFile(driver: Driver, filename: string, sha256: string): Promise<boolean> {
  try {
    const digest = createHash('sha256')
    for await (const chunk of await driver.read(filename)) digest.update(chunk as Buffer)
    return digest.digest('hex') === sha256
  } catch (error) {
    if (error instanceof FileMissing) return false
    throw error
  }
}

/** Unpacks the extensions into a temporary folder and installs those that are missing. */
async function restoreExtensions({ source, dataFolder }: RestoreParts): Promise<void> {
  const installed = join(dataFolder, 'extensions')
  const temporary = join(installed, `.temporary-${randomUUID()}`)
  await createOwnedFolder(temporary)
  try {
    await pipeline(
      Readable.from(contentOf(source, 'extensions')),
      extract({ cwd: temporary, filter: (path) => !path.startsWith('./.temporary-') }) as unknown as Writable,
    )
    await giveTree(temporary)
    const present = new Set(await readdir(installed))
    for (const name of await readdir(temporary))
      if (!present.has(name)) await rename(join(temporary, name), join(installed, name))
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

async function replaceDatabase(client: pg.Client, { source, checked }: RestoreParts): Promise<void> {
  const { header } = checked
  const hasJobs = header.jobs === jobsVersion
  await rebuildDatabase(client, { migrations: header.migrations, hasJobs }, async (trx, addForeignKeys) => {
    await copyTables(client, source, hasJobs)
    await addForeignKeys()
    await restoreSequences(client, source, hasJobs)
    await migrateTo(trx, Object.keys(migrations).toSorted().at(-1) ?? '')
    // Removes the nodes of the former installation, and the run of this backup, which was in progress.
    await client.query('delete from node; delete from backup_run where ended_at is null')
    // The files may be in another folder now.
    await trx.deleteFrom('place_mark').where('place', '=', filesPlace).execute()
    // By this, a copy recognises the places of the original.
    await sql`update place_mark set noted_at = '-infinity'`.execute(trx)
    await trx.updateTable('installation').set({ migrated_by: manifest.version }).execute()
    await forgetPresence(client)
  })
}

/**
 * The backup does not know what has become of the edges since. They count as offline, without an alert, until they
 * connect.
 */
async function forgetPresence(client: pg.Client): Promise<void> {
  await client.query(`
    insert into edge_outage (edge_id, begins)
      select edge_id, least(seen_at, now()) from edge_presence where is_online on conflict do nothing;
    update edge_presence set is_online = false, offline_since = null, contact_at = null, silence = null;
    update installation set is_copy = true`)
}

/** The schema version of the job queue that its library creates. */
export const jobsVersion: number = bossManifest.pgboss.schema

/**
 * Creates the schema of the given migrations in a database and fills it, in one transaction. `addForeignKeys` also
 * enables the triggers again.
 */
export async function rebuildDatabase(
  client: pg.Client,
  schema: { migrations: readonly string[]; hasJobs: boolean },
  fill: (trx: Transaction<Database>, addForeignKeys: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const db = onOneConnection(client)
  await db.transaction().execute(async (trx) => {
    await migrationLock.execute(trx)
    await dropEverything(client)
    await migrateTo(trx, schema.migrations.at(-1) ?? '')
    if (schema.hasJobs) await createJobTables(client)
    const foreignKeys = await dropForeignKeys(client)
    const triggers = await disableTriggers(client)
    await emptyTables(client)
    await fill(trx, async () => {
      for (const statement of [...triggers, ...foreignKeys]) await client.query(statement)
    })
  })
}

async function migrateTo(trx: Transaction<Database>, name: string): Promise<void> {
  const migrator = new Migrator({ db: trx, provider: { getMigrations: async () => migrations } })
  const { error, results } = await migrator.migrateTo(name)
  if (error === undefined) return
  const step = results?.find(({ status }) => status === 'Error')?.migrationName ?? name
  const reason = error instanceof Error ? error.message : 'unknown reason'
  throw new Error(`the migration ${step} failed and nothing was changed: ${reason}`, { cause: error })
}

/** The plan of the library contains its own transaction. */
async function createJobTables(client: pg.Client): Promise<void> {
  const plan = getConstructionPlans('pgboss')
    .replace(/^\s*BEGIN;/, '')
    .replace(/COMMIT;\s*$/, '')
  await client.query(plan)
  await client.query('set local lock_timeout = 0; set local idle_in_transaction_session_timeout = 0')
}

async function copyTables(client: pg.Client, source: BackupSource, hasJobs: boolean): Promise<void> {
  let copy: ReturnType<typeof copyInto> | undefined
  try {
    for await (const event of archiveOf(source)) {
      if (event.kind === 'part') {
        const { head } = event
        const isSelected = head.kind === 'table' && (hasJobs || head.schema !== 'pgboss')
        copy = isSelected ? copyInto(client, head) : undefined
      } else if (event.kind === 'data') {
        await copy?.write(event.chunk)
      } else if (event.kind === 'partEnd' && copy !== undefined) {
        if ((await copy.end()) !== event.rows)
          throw new Error('a table of the backup has a different number of rows')
        copy = undefined
      }
    }
  } catch (error) {
    copy?.abort()
    throw error
  }
}

function copyInto(client: pg.Client, table: Table) {
  const stream = client.query(from(`copy ${columnsOf(table)} from stdin`))
  // Listens from the start: an error may come between two chunks.
  const done = finished(stream)
  let isOver = false
  done.then(
    () => (isOver = true),
    () => (isOver = true),
  )
  return {
    /** Otherwise the connection waits for further rows, and the transaction does not end. */
    abort: () => {
      if (!isOver) stream.destroy()
    },
    async write(chunk: Buffer): Promise<void> {
      try {
        if (stream.write(chunk)) return
      } catch {
        // The database has just refused the copy. The library then writes to no connection, and `done` has the reason.
        await done
      }
      await Promise.race([once(stream, 'drain'), done])
    },
    async end(): Promise<number> {
      stream.end()
      await done
      return stream.rowCount
    },
  }
}

async function restoreSequences(client: pg.Client, source: BackupSource, hasJobs: boolean): Promise<void> {
  const text = (await buffer(contentOf(source, 'sequences'))).toString('utf8')
  for (const [name, value] of JSON.parse(text) as [string, string][]) {
    if (!hasJobs && name.startsWith('"pgboss"')) continue
    await client.query('select setval($1::regclass, $2::bigint)', [name, value])
  }
}
