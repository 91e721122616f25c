import type { DatabaseConnection } from '#platform/database/database.ts'
import type { Config } from '../config.ts'
import type { Backup, Progress } from './make-backup.ts'
import type { BackupSettings } from './take-backup.ts'

/** What the process that makes a backup has to do. It travels through its channel, never through arguments. */
export interface BackupOrder {
  config: BackupSettings & Pick<Config, 'diskReserve'>
  dataFolder: string
  connection: DatabaseConnection
  withDrill: boolean
}

export type WorkerMessage =
  | { kind: 'progress'; progress: Progress }
  | { kind: 'made'; backup: Backup }
  | { kind: 'proven' }
  | { kind: 'failed'; step: 'backup' | 'drill'; reason: string }
