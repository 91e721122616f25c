import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { DatabaseConnection, OpenDatabase } from '#platform/database/database.ts'
import { openDatabase } from '#platform/database/database.ts'
import { connectionOf } from '#platform/database/hosts.ts'
import { createLog, type Log } from '#platform/log.ts'
import { type Config, readConfig, settingIn } from '../config.ts'
import { updateInstallation } from '../installation/update.ts'

export type Environment = Record<string, string | undefined>

/** The installation that a command works on, with or without a running server. */
export interface Installation {
  config: Config
  dataFolder: string
  /** The extensions that come with the product. */
  extensionsFolder: string
  consoleFolder: string
  connection: DatabaseConnection
  database: OpenDatabase
  /** Migrates the schema to this version, like a start of the server. */
  update(): Promise<void>
  log: Log
}

type Work = (installation: Installation) => Promise<void>

const cloneFolder = join(dirname(fileURLToPath(import.meta.url)), '../../../..')
const extensionsFolder = join(cloneFolder, 'dist/extensions')
const consoleFolder = join(cloneFolder, 'apps/console/dist')

export async function dataFolderOf(environment: Environment): Promise<string> {
  const { defaultDataFolder } = await import('#platform/database/embedded/data-folder.ts')
  const given = settingIn(environment, 'PULT_DATA')
  return given === undefined ? defaultDataFolder(cloneFolder) : resolve(given)
}

/** The data folder has no database, for example because PULT_DATA is misspelt. */
export class NoInstallation extends Error {}

/**
 * Opens the installation of these settings.
 *
 * @throws {NoInstallation} if it would have to be created. `withNewInstallation` is for commands that may do that.
 */
export async function withInstallation(environment: Environment, work: Work): Promise<void> {
  const { isDataFolder } = await import('#platform/database/embedded/data-folder.ts')
  const dataFolder = await dataFolderOf(environment)
  if (readConfig(environment).databaseUrl === undefined && !(await isDataFolder(dataFolder)))
    throw new NoInstallation(
      `there is no installation in ${dataFolder}: set PULT_DATA to its folder, or start its server once`,
    )
  await withNewInstallation(environment, work)
}

export async function withNewInstallation(environment: Environment, work: Work): Promise<void> {
  const config = readConfig(environment)
  const { startEmbeddedDatabase } = await import('#platform/database/embedded/embedded-database.ts')
  const dataFolder = await dataFolderOf(environment)
  // The standard output belongs to the command.
  const report = (line: string) => process.stderr.write(`${line}\n`)
  const embedded =
    config.databaseUrl === undefined ? await startEmbeddedDatabase({ dataFolder, log: report }) : undefined
  try {
    const connection = embedded?.connection ?? connectionOf(config.databaseUrl ?? '')
    // The command itself reports the failure.
    const database = openDatabase({ connection, max: 2, onError: () => {} })
    try {
      await work({
        config,
        dataFolder,
        extensionsFolder,
        consoleFolder,
        connection,
        database,
        update: () => update({ config, dataFolder, connection, report }),
        log: createLog('silent'),
      })
    } finally {
      await database.close()
    }
  } finally {
    await embedded?.stop()
  }
}

/** Runs without the time limits of calls, because migrating a large table takes long. */
async function update(parts: Omit<Parameters<typeof updateInstallation>[0], 'db'>): Promise<void> {
  const migrating = openDatabase({ connection: parts.connection, max: 1, limits: {}, onError: () => {} })
  try {
    await updateInstallation({ ...parts, db: migrating.db })
  } finally {
    await migrating.close()
  }
}
