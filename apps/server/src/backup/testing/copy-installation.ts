import { join } from 'node:path'
import type { DatabaseConnection } from '#platform/database/database.ts'
import type { FileDriver } from '#platform/files/file-driver.ts'
import { openBackupFolder } from '../backup-folder.ts'
import { checkBackup } from '../check-backup.ts'
import { createDiskStore } from '../disk-store.ts'
import { makeKey } from '../encryption.ts'
import { makeBackup } from '../make-backup.ts'
import { restoreBackup } from '../restore-backup.ts'
import { createSigner } from '../signer.ts'

interface Installation {
  connection: DatabaseConnection
  driver: FileDriver
  dataFolder: string
}

/** Backs up an installation into a folder and restores the backup elsewhere. */
export async function copyInstallation(
  from: Installation & { secret: string },
  to: Installation,
  backups: string,
): Promise<void> {
  const { identity, recipient } = await makeKey()
  const store = createDiskStore(backups, async () => {})
  const { name } = await makeBackup({
    connection: from.connection,
    driver: from.driver,
    extensionsFolder: join(from.dataFolder, 'extensions'),
    secret: from.secret,
    temporaryFolder: from.dataFolder,
    target: openBackupFolder(store),
    recipient,
    keep: 1,
  })
  const source = { store, name, identity, signer: createSigner(from.secret).fingerprint }
  const checked = await checkBackup(source)
  await restoreBackup({ ...to, source, checked, secret: undefined, mayReplace: false })
}
