import { cp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { installedSources } from '../binaries.ts'
import { type PlatformPackage, readPlatformPackage } from '../platform-package.ts'

/** Copies the installed package as npm unpacks it, without the links between its libraries. */
export async function copyOfPackage(target: string): Promise<PlatformPackage> {
  const installed = await installedSources.platformPackage()
  if (installed === undefined) throw new Error('there is no PostgreSQL package for this machine')
  const folder = join(target, 'linux-x64')
  await cp(installed.folder, folder, { recursive: true, verbatimSymlinks: true })
  const libraries = join(folder, 'native', 'lib')
  for (const entry of await readdir(libraries, { withFileTypes: true })) {
    if (entry.isSymbolicLink()) await rm(join(libraries, entry.name))
  }
  return readPlatformPackage(folder)
}
