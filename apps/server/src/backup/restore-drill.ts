import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { to } from 'pg-copy-streams'
import type { DatabaseConnection } from '#platform/database/database.ts'
import { superuser } from '#platform/database/embedded/cluster.ts'
import { openForServerUser } from '#platform/database/embedded/data-folder.ts'
import { discardDatabase } from '#platform/database/embedded/discard-database.ts'
import { startEmbeddedDatabase } from '#platform/database/embedded/embedded-database.ts'
import { chooseServerUser } from '#platform/database/embedded/server-user.ts'
import { readSpace } from '#platform/places/space.ts'
import { type BackupSource, type CheckedBackup, checkBackup } from './check-backup.ts'
import { connectClient, lowerPriorityOf } from './connect-client.ts'
import { copySession, type Progress } from './make-backup.ts'
import { restoreBackup } from './restore-backup.ts'
import { columnsOf } from './tables.ts'

export interface DrillParts {
  source: BackupSource
  /** The data folder of the installation. The scratch database is in it, beside the real one. */
  dataFolder: string
  /** PULT_SECRET. */
  secret: string | undefined
  /** Bytes that the drill leaves free. */
  reserve: number
  signal: AbortSignal
  onProgress: (progress: Progress) => void
}

/** Bytes of a new database without content. */
const emptyDatabase = 100 * 1024 * 1024
/** A table with its indexes needs about this many bytes for each byte of the archive's text. */
const growth = 3

/** Tables whose rows a restore changes, because they describe the moment or the machine of the backup. */
const changedByRestore = new Set(
  ['backup_run', 'edge_outage', 'edge_presence', 'installation', 'node', 'place_mark'].map(
    (name) => `public.${name}`,
  ),
)

const folderOf = (dataFolder: string) => join(dataFolder, 'restore-drill')

/** Stops and deletes the scratch database of a drill that was killed. Returns false for a running drill. */
export const discardDrill = (dataFolder: string) => discardDatabase(folderOf(dataFolder))

/**
 * Proves that a backup can be restored: reads every byte of it and of its files, restores and migrates it in a scratch
 * database, compares all tables with the archive, and discards the scratch database.
 */
export async function runDrill(parts: DrillParts): Promise<void> {
  const { source, dataFolder, secret, signal, onProgress } = parts
  const scratch = folderOf(dataFolder)
  if (!(await discardDrill(dataFolder))) throw new Error('another restore drill runs on this machine')
  const checked = await checkBackup(source, {
    acceptsOtherKeys: true,
    onFile: (done) => onProgress({ step: 'verify', done, total: 0 }),
  })
  await refuseWithoutSpace(checked, parts)
  onProgress({ step: 'restore', done: 0, total: 0 })
  try {
    const user = await chooseServerUser(scratch)
    // An installation with an external database may have left its folder closed.
    if (user !== undefined) await openForServerUser({ path: dataFolder }, user)
    const database = await startEmbeddedDatabase({ dataFolder: scratch, log: () => {} })
    // Queries in progress then fail.
    signal.addEventListener('abort', () => void database.stop())
    try {
      signal.throwIfAborted()
      const { connection } = database
      await disableSync(connection)
      await restoreBackup({
        source,
        checked,
        connection,
        driver: null,
        dataFolder: scratch,
        secret,
        mayReplace: false,
        isInBackground: true,
      })
      await compareTables(connection, checked, onProgress)
    } finally {
      await database.stop()
    }
  } finally {
    await discardDrill(dataFolder)
  }
}

async function refuseWithoutSpace({ tables }: CheckedBackup, { dataFolder, reserve }: DrillParts) {
  const needed = emptyDatabase + growth * tables.reduce((sum, { bytes }) => sum + bytes, 0)
  const free = (await readSpace(dataFolder)).free - reserve
  if (free < needed)
    throw new Error(
      `a restore drill needs about ${Math.ceil(needed / 1024 ** 2)} MiB in ${dataFolder}, and ${Math.max(0, Math.floor(free / 1024 ** 2))} MiB are free`,
    )
}

/** A scratch database need not survive a crash. Waiting for the disk would slow down users. */
async function disableSync(connection: DatabaseConnection): Promise<void> {
  const client = await connectClient({ ...connection, user: superuser }, 'scratch settings')
  try {
    for (const name of ['fsync', 'full_page_writes']) await client.query(`alter system set ${name} = off`)
    await client.query('select pg_reload_conf()')
  } finally {
    await client.end()
  }
}

/** Compares digests: a table returns its rows in the order in which they were copied. */
async function compareTables(
  connection: DatabaseConnection,
  { tables }: CheckedBackup,
  onProgress: DrillParts['onProgress'],
): Promise<void> {
  const client = await connectClient(connection, 'pult drill')
  try {
    await lowerPriorityOf(client)
    await client.query(copySession)
    const { rows: present } = await client.query<{ name: string }>(
      `select schemaname || '.' || tablename as name from pg_tables`,
    )
    const names = new Set(present.map(({ name }) => name))
    for (const [done, table] of tables.entries()) {
      onProgress({ step: 'compare', done, total: tables.length })
      const name = `${table.schema}.${table.name}`
      // Jobs of another version of their library are not restored.
      if (changedByRestore.has(name) || (table.schema === 'pgboss' && !names.has(name))) continue
      const stream = client.query(to(`copy ${columnsOf(table)} to stdout`))
      const digest = createHash('sha256')
      for await (const chunk of stream) {
        digest.update(chunk as Buffer)
        // A large table takes long, and the place of the backups is not used.
        onProgress({ step: 'compare', done, total: tables.length })
      }
      if (stream.rowCount !== table.rows || digest.digest('hex') !== table.sha256)
        throw new Error(`the table ${name} has different rows after the restore`)
    }
  } finally {
    await client.end()
  }
}
