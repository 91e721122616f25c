import type { DatabaseConnection } from '#platform/database/database.ts'
import type { Config } from '../config.ts'
import type { Backup, Progress } from './make-backup.ts'
import type { BackupSettings } from './take-backup.ts'

/** The order to the process that makes a backup. It is sent over the IPC channel, never as arguments. */
export interface BackupOrder {
  config: BackupSettings & Pick<Config, 'diskReserve'>
  dataFolder: string
  connection: DatabaseConnection
  withDrill: boolean
  /** Whether the stored files are read before they are used again. */
  verifiesStored: boolean
}

export type WorkerMessage =
  | { kind: 'progress'; progress: Progress }
  /** The place of the backups is used, although the step may have no further progress for hours. */
  | { kind: 'alive' }
  /** Another program, such as an update, makes a backup of this installation. */
  | { kind: 'concurrent'; reason: string }
  | { kind: 'made'; backup: Backup }
  | { kind: 'proven' }
  | { kind: 'failed'; step: 'backup' | 'drill'; reason: string }
