import { readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from '../../places/sync-folder.ts'
import { readMajor } from './cluster.ts'
import type { DataFolder } from './data-folder.ts'

/** The name of a complete database of the new version. Once a folder has it, every start finishes the switch. */
const complete = 'postgres.upgraded'
const oldPattern = /^postgres-\d+$/

/** Replaces the database with a complete one. The rename to `postgres.upgraded` is the point of no return. */
export async function switchTo(folder: DataFolder, next: DataFolder): Promise<void> {
  await rename(next.cluster, join(folder.path, complete))
  await syncFolder(folder.path)
  await completeSwitch(folder)
}

/** Finishes a switch that was interrupted. The caller holds the start lock. */
export async function completeSwitch(folder: DataFolder): Promise<void> {
  if (!(await readdir(folder.path)).includes(complete)) return
  const major = await readMajor(folder)
  if (major !== undefined) await rename(folder.cluster, join(folder.path, `postgres-${major}`))
  await rename(join(folder.path, complete), folder.cluster)
  await syncFolder(folder.path)
}

/** Removes the databases of former versions, and returns their paths. */
export async function removeOldClusters({ path }: DataFolder): Promise<string[]> {
  const found = (await readdir(path)).filter((name) => oldPattern.test(name)).map((name) => join(path, name))
  for (const folder of found) await rm(folder, { recursive: true })
  return found
}
