import type { DatabaseConnection, OpenDatabase } from '#platform/database/database.ts'
import { causeOf } from '#platform/database/database-fault.ts'
import { migrateToLatest } from '#platform/database/migrate.ts'
import { fileFault } from '#platform/start-fault.ts'
import { migrations as own } from '../../migrations/index.ts'
import type { Config } from '../config.ts'

interface UpdateParts {
  db: OpenDatabase['db']
  config: Pick<Config, 'backup' | 'secret' | 'filesS3' | 'filesFolder' | 'diskReserve'>
  dataFolder: string
  connection: DatabaseConnection
  /** Receives lines for the operator. */
  report: (line: string) => void
  migrations?: Parameters<typeof migrateToLatest>[1]
  /** As of {@link migrateToLatest}. */
  patience?: number
}

/** Migrates the schema to this version. First backs up an existing installation, if the settings name a place. */
export async function updateInstallation(parts: UpdateParts): Promise<void> {
  const { db, config, report, migrations = own, patience } = parts
  await migrateToLatest(db, migrations, {
    ...(patience !== undefined && { patience }),
    onWaiting: (reason) => report(`Update: waiting, because ${reason}.`),
    beforeUpdate: async (pending) => {
      const steps = pending.length === 1 ? pending[0] : `${pending.length} migrations`
      if (config.backup.folder === undefined || config.backup.recipient === undefined) {
        const missing = config.backup.folder === undefined ? 'BACKUP_FOLDER' : 'BACKUP_RECIPIENT'
        report(`Update: ${steps} without a backup, because ${missing} is not set.`)
        return
      }
      report(`Update: backing up before ${steps}.`)
      report(`Update: the backup is ${await backUp(parts)}`)
    },
  })
}

async function backUp({ config, dataFolder, connection, report }: UpdateParts): Promise<string> {
  // Lazy, because few starts need them.
  const [{ takeBackup }, { openBackups }] = await Promise.all([
    import('../backup/take-backup.ts'),
    import('../backup/open-backup-store.ts'),
  ])
  try {
    const target = await openBackups(config)
    const onWait = () => report('Update: waiting, because another backup of this installation is being made.')
    const { path } = await takeBackup({ config, dataFolder, connection, target, onWait })
    return path
  } catch (cause) {
    // The start is repeated once the database is available.
    if (causeOf(cause)?.isFinal === false) throw cause
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw fileFault(
      `the backup before the update failed, and nothing was changed: ${reason}. Fix the cause, or clear BACKUP_FOLDER ` +
        'to update without a backup',
      cause,
    )
  }
}
