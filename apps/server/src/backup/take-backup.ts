import { join } from 'node:path'
import { type DatabaseConnection, openDatabase } from '#platform/database/database.ts'
import { createStoreNotes } from '#platform/places/place-marks.ts'
import type { Config } from '../config.ts'
import { openFileStore } from '../files/open-store.ts'
import { readSecretFile, secretPath } from '../installation/secret.ts'
import { type BackupFolder, retentionOf } from './backup-folder.ts'
import { checkRecipient } from './encryption.ts'
import { type Backup, type BackupParts, makeBackup } from './make-backup.ts'
import { createSigner } from './signer.ts'

export type BackupSettings = Pick<Config, 'backup' | 'secret' | 'filesS3' | 'filesFolder'> &
  Partial<Pick<Config, 'publicUrl'>>

export interface TakeBackup {
  config: BackupSettings
  dataFolder: string
  connection: DatabaseConnection
  target: BackupFolder
  /** Makes a backup that is not encrypted and omits the secret. */
  isUnencrypted?: boolean
  isNewPlace?: BackupParts['isNewPlace']
  drillRecipient?: BackupParts['drillRecipient']
  verifiesStored?: BackupParts['verifiesStored']
  onWait?: BackupParts['onWait']
  onProgress?: BackupParts['onProgress']
}

/** Returns the secret of an installation that has started. */
export async function secretOf({ secret }: Pick<Config, 'secret'>, dataFolder: string): Promise<string> {
  const known = secret ?? (await readSecretFile(secretPath(dataFolder)))
  if (known === undefined) throw new Error('the installation is empty: its server has never started')
  return known
}

/** Makes a backup with the settings of the installation. */
export async function takeBackup({
  config,
  dataFolder,
  connection,
  target,
  isUnencrypted = false,
  isNewPlace,
  drillRecipient,
  verifiesStored,
  onWait,
  onProgress,
}: TakeBackup): Promise<Backup> {
  const recipient = isUnencrypted ? undefined : config.backup.recipient
  if (recipient === undefined && !isUnencrypted)
    throw new Error('BACKUP_RECIPIENT is not set: make a key with "backup key", or use --unencrypted')
  if (recipient !== undefined) checkRecipient(recipient)
  const secret = await secretOf(config, dataFolder)
  if (recipient !== undefined && config.backup.signer !== createSigner(secret).fingerprint)
    throw new Error(
      'BACKUP_RECIPIENT belongs to the emergency sheet of another installation, which would refuse this backup: make a new key with "backup key"',
    )
  // The files of a folder that is not mounted are not missing.
  const database = openDatabase({ connection, max: 1, limits: {}, onError: () => {} })
  try {
    return await makeBackup({
      connection,
      driver: await openFileStore(config, dataFolder, undefined, createStoreNotes(database.db)),
      extensionsFolder: join(dataFolder, 'extensions'),
      temporaryFolder: dataFolder,
      secret,
      target,
      recipient,
      drillRecipient,
      isNewPlace,
      publicUrl: config.publicUrl,
      verifiesStored,
      onWait,
      ...retentionOf(config.backup),
      onProgress,
    })
  } finally {
    await database.close()
  }
}
