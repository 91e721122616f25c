import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { DatabaseConnection, OpenDatabase } from '#platform/database/database.ts'
import { openDatabase } from '#platform/database/database.ts'
import { createLog, type Log } from '#platform/log.ts'
import { type Config, readConfig } from '../config.ts'

export type Environment = Record<string, string | undefined>

/** What a command works on: the database of this installation, whether a server runs on it or not. */
export interface Installation {
  config: Config
  dataFolder: string
  /** The extensions that come with the product. */
  extensionsFolder: string
  connection: DatabaseConnection
  database: OpenDatabase
  log: Log
}

const cloneFolder = join(dirname(fileURLToPath(import.meta.url)), '../../../..')
const extensionsFolder = join(cloneFolder, 'dist/extensions')

export async function withInstallation(
  environment: Environment,
  work: (installation: Installation) => Promise<void>,
): Promise<void> {
  const config = readConfig(environment)
  const { defaultDataFolder, startEmbeddedDatabase } = await import(
    '#platform/database/embedded/embedded-database.ts'
  )
  const dataFolder = config.dataFolder ?? defaultDataFolder(cloneFolder)
  // The standard output is the command's own.
  const tell = (line: string) => process.stderr.write(`${line}\n`)
  const embedded =
    config.databaseUrl === undefined ? await startEmbeddedDatabase({ dataFolder, log: tell }) : undefined
  try {
    const connection = embedded?.connection ?? { connectionString: config.databaseUrl ?? '' }
    // What fails is the command's to say, once.
    const database = openDatabase({ connection, max: 2, onError: () => {} })
    try {
      await work({
        config,
        dataFolder,
        extensionsFolder,
        connection,
        database,
        log: createLog('silent'),
      })
    } finally {
      await database.close()
    }
  } finally {
    await embedded?.stop()
  }
}
