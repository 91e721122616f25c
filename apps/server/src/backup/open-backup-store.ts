import { AppError } from '#platform/app-error.ts'
import { createDiskSpace } from '#platform/disk-space.ts'
import { createLog } from '#platform/log.ts'
import { PlaceFault } from '#platform/places/place-fault.ts'
import { pult } from '#platform/program-name.ts'
import type { BackupConfig, Config, S3Account } from '../config.ts'
import { type BackupFolder, openBackupFolder } from './backup-folder.ts'
import type { BackupStore } from './backup-store.ts'
import type { BackupSource } from './check-backup.ts'
import { createDiskStore } from './disk-store.ts'

interface StoreOptions {
  /** For a bucket. */
  account: S3Account | undefined
  /** Bytes that backups leave free on the disk of a folder. */
  reserve: number
}

const bucketPattern = /^s3:\/\/([^/]+)(?:\/(.+))?$/

/** Opens a folder or a bucket. */
export async function openBackupStore(
  location: string,
  { account, reserve }: StoreOptions,
): Promise<BackupStore> {
  if (!location.startsWith('s3://')) return openFolder(location, reserve)
  const [, bucket, prefix = ''] = bucketPattern.exec(location) ?? []
  if (bucket === undefined) throw new Error(`${location} names no bucket: write s3://bucket/prefix`)
  if (account === undefined)
    throw new Error(
      'a bucket needs the settings FILES_S3_ENDPOINT, FILES_S3_ACCESS_KEY and FILES_S3_SECRET_KEY',
    )
  // Lazy: the S3 client needs more memory than a room.
  const { createS3Store } = await import('./s3-store.ts')
  return createS3Store({ ...account, bucket, prefix })
}

function openFolder(location: string, reserve: number): BackupStore {
  const disk = createDiskSpace({ folders: [location], reserve, log: createLog('silent') })
  /** The usual refusal is for users, and about the disk of the server. */
  function throwFull(cause: unknown): never {
    if (!(cause instanceof AppError)) throw cause
    const reason =
      disk.read()?.inodes === 0
        ? 'has no free inodes: delete files there'
        : `has no more free space than DISK_RESERVE, ${Math.ceil(reserve / 1024 ** 2)} MiB: free space there`
    throw new PlaceFault(`the disk of ${location} ${reason}, or use another disk for the backups`, { cause })
  }
  return createDiskStore(location, (bytes) => disk.admit(bytes).catch(throwFull))
}

/** Opens the place that the settings name, or another place of the same account. */
export async function openBackups(
  { backup, diskReserve }: { backup: BackupConfig; diskReserve: Config['diskReserve'] },
  location = backup.folder,
): Promise<BackupFolder> {
  if (location === undefined) throw new Error('set BACKUP_FOLDER, or name a folder with --to')
  return openBackupFolder(await openBackupStore(location, { account: backup.account, reserve: diskReserve }))
}

const archivePattern = /^(.+)[/\\]archives[/\\]([^/\\]+)$/

/** Finds an archive by its path or address. */
export async function openArchive(
  path: string,
  keys: Pick<BackupSource, 'identity' | 'signer'>,
  options: StoreOptions,
): Promise<BackupSource> {
  const [, location, name] = archivePattern.exec(path) ?? []
  if (location === undefined || name === undefined)
    throw new Error(`${path} is not an archive: name one as ${pult('backup list')} prints it`)
  return { store: await openBackupStore(location, options), name, ...keys }
}
