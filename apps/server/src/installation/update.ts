import type { DatabaseConnection, OpenDatabase } from '#platform/database/database.ts'
import { migrateToLatest } from '#platform/database/migrate.ts'
import { migrations as own } from '../../migrations/index.ts'
import type { Config } from '../config.ts'

interface UpdateParts {
  db: OpenDatabase['db']
  config: Pick<Config, 'backup' | 'secret' | 'filesS3' | 'filesFolder' | 'diskReserve'>
  dataFolder: string
  connection: DatabaseConnection
  /** Receives lines for the operator. */
  say: (line: string) => void
  migrations?: Parameters<typeof migrateToLatest>[1]
}

/** Brings the schema up to date. An existing installation is backed up before, if the settings name a place. */
export async function updateInstallation(parts: UpdateParts): Promise<void> {
  const { db, config, say, migrations = own } = parts
  await migrateToLatest(db, migrations, {
    beforeUpdate: async (pending) => {
      const steps = pending.length === 1 ? pending[0] : `${pending.length} migrations`
      if (config.backup.folder === undefined || config.backup.recipient === undefined) {
        const missing = config.backup.folder === undefined ? 'BACKUP_FOLDER' : 'BACKUP_RECIPIENT'
        say(`Update: ${steps} without a backup, because ${missing} is not set.`)
        return
      }
      say(`Update: backing up before ${steps}.`)
      say(`Update: the backup is ${await backUp(parts)}`)
    },
  })
}

async function backUp({ config, dataFolder, connection }: UpdateParts): Promise<string> {
  // Lazy, because hardly any start needs them.
  const [{ takeBackup }, { openBackups }] = await Promise.all([
    import('../backup/take-backup.ts'),
    import('../backup/open-backup-store.ts'),
  ])
  try {
    const target = await openBackups(config)
    const { path } = await takeBackup({ config, dataFolder, connection, target })
    return path
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(
      `the backup before the update failed, and nothing was changed: ${reason}. Fix it, or update without a backup by ` +
        'an empty BACKUP_FOLDER',
      { cause },
    )
  }
}
