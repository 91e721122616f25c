import { randomUUID } from 'node:crypto'
import { copyFile, mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { AppError } from '#platform/app-error.ts'
import { receiveArchive, unpackArchive } from './archive.ts'
import { BrokenExtension, type ExtensionPackage, readPackage } from './extension-package.ts'

/** What is installed: an archive as it comes in, or a folder of this machine. */
export type InstallSource = { archive: Readable } | { folder: string }

export interface StagedPackage {
  package: ExtensionPackage
  /** Its folder, once it is in place. */
  target: string
  /** Puts it in place, whole or not at all. What has its name already goes. */
  place(): Promise<void>
  /** To be called in the end, whatever happened. */
  discard(): Promise<void>
}

/** A folder that begins with a dot is no extension. */
const prefix = '.temporary-'
const staleAfter = 3_600_000

/** Unpacks and checks an extension beside the others. Throws a {@link BrokenExtension}. */
export async function stagePackage(installed: string, source: InstallSource): Promise<StagedPackage> {
  const temporary = temporaryIn(installed)
  const discard = () => rm(temporary, { recursive: true, force: true })
  try {
    await mkdir(installed, { recursive: true })
    await removeStale(installed)
    await mkdir(temporary)
    const folder = await fetchInto(temporary, source)
    const found = await readPackage(folder)
    if (found === undefined)
      throw new BrokenExtension({ de: 'there is no manifest.json', 'de-DE': 'manifest.json fehlt' })
    const target = join(installed, `${found.manifest.id}@${found.manifest.version}`)
    return { package: found, target, place: () => replace(folder, target), discard }
  } catch (error) {
    await discard()
    throw isFull(error)
      ? new AppError('NO_SPACE_LEFT', {
          message: {
            de: 'There is no space left for it in the data folder',
            'de-DE': 'Im Datenordner ist kein Platz mehr dafür',
          },
        })
      : error
  }
}

/** Takes a folder away in one step, which needs no space: it may be what somebody does who has none. */
export async function removeFolder(folder: string): Promise<void> {
  const temporary = temporaryIn(dirname(folder))
  await rename(folder, temporary)
  await rm(temporary, { recursive: true, force: true })
}

const temporaryIn = (installed: string) => join(installed, `${prefix}${randomUUID()}`)

async function fetchInto(temporary: string, source: InstallSource): Promise<string> {
  const content = join(temporary, 'content')
  await mkdir(content)
  if ('folder' in source) {
    await copyPackage(source.folder, content)
    return content
  }
  const archive = join(temporary, 'archive.tgz')
  await receiveArchive(source.archive, archive)
  return unpackArchive(archive, content)
}

/** What the manifest lists, and nothing else that lies beside it. */
async function copyPackage(from: string, to: string): Promise<void> {
  const found = await readPackage(from)
  if (found === undefined)
    throw new BrokenExtension({ de: 'there is no manifest.json', 'de-DE': 'manifest.json fehlt' })
  for (const path of ['manifest.json', ...Object.keys(found.manifest.files)]) {
    await mkdir(dirname(join(to, path)), { recursive: true })
    await copyFile(join(from, path), join(to, path))
  }
}

async function replace(folder: string, target: string): Promise<void> {
  const former = await stat(target).catch(() => undefined)
  if (former !== undefined) await removeFolder(target)
  await rename(folder, target)
}

/** What a process that was killed has left. */
async function removeStale(installed: string): Promise<void> {
  for (const name of await readdir(installed)) {
    if (!name.startsWith(prefix)) continue
    const info = await stat(join(installed, name)).catch(() => undefined)
    if (info !== undefined && Date.now() - info.mtimeMs > staleAfter)
      await rm(join(installed, name), { recursive: true, force: true })
  }
}

const isFull = (error: unknown) =>
  error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
