import { randomUUID } from 'node:crypto'
import { copyFile, mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { cardsInVain } from '@pult/contract'
import { AppError } from '#platform/app-error.ts'
import { createOwnedFolder, giveTree } from '#platform/places/owner.ts'
import { receiveArchive, unpackArchive } from './archive.ts'
import { BrokenExtension, type ExtensionPackage, readPackage, readSharedNames } from './extension-package.ts'
import type { ExtensionFolders } from './library.ts'

/** The source of an installation: an uploaded archive, or a folder of this machine. */
export type InstallSource = { archive: Readable } | { folder: string }

export interface StagedPackage {
  package: ExtensionPackage
  /** Its final folder. */
  target: string
  /**
   * Moves it to its final folder in one step, in place of a folder of that name, and runs `work`. Restores the former
   * state if `work` fails.
   */
  place(work: () => Promise<void>): Promise<void>
  /** Deletes temporary files. The caller must always call it last. */
  discard(): Promise<void>
}

/** Names with a leading dot are not read as extensions. */
const prefix = '.temporary-'
const staleAfter = 3_600_000

/** Unpacks and checks an extension in a temporary folder beside the others. Throws a {@link BrokenExtension}. */
export async function stagePackage(
  { installed, console: consoleFolder }: Pick<ExtensionFolders, 'installed' | 'console'>,
  source: InstallSource,
): Promise<StagedPackage> {
  const temporary = temporaryIn(installed)
  const discard = () => rm(temporary, { recursive: true, force: true })
  try {
    await createOwnedFolder(installed)
    await removeStale(installed)
    await mkdir(temporary)
    const folder = await fetchInto(temporary, source)
    const found = await readPackage(folder, await readSharedNames(consoleFolder))
    if (found === undefined)
      throw new BrokenExtension({ de: 'manifest.json is missing', 'de-DE': 'manifest.json fehlt' })
    const [lost] = cardsInVain(found.manifest)
    if (lost !== undefined)
      throw new BrokenExtension({ de: lost, 'de-DE': `Das Manifest ist falsch: ${lost}` })
    const target = join(installed, `${found.manifest.id}@${found.manifest.version}`)
    const former = join(temporary, 'former')
    await giveTree(temporary)
    return {
      package: found,
      target,
      async place(work) {
        await rename(target, former).catch(unlessMissing)
        try {
          await rename(folder, target)
          await work()
        } catch (error) {
          await rename(target, folder).catch(unlessMissing)
          await rename(former, target).catch(unlessMissing)
          throw error
        }
      },
      discard,
    }
  } catch (error) {
    await discard()
    throw isFull(error)
      ? new AppError('NO_SPACE_LEFT', {
          message: {
            de: 'The data folder has too little free space',
            'de-DE': 'Im Datenordner ist zu wenig Platz frei',
          },
        })
      : error
  }
}

/** Removes a folder by a rename, which is atomic and works on a full disk. */
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

/** Copies only the files that the manifest lists. */
async function copyPackage(from: string, to: string): Promise<void> {
  const found = await readPackage(from, undefined)
  if (found === undefined)
    throw new BrokenExtension({ de: 'manifest.json is missing', 'de-DE': 'manifest.json fehlt' })
  for (const path of ['manifest.json', ...Object.keys(found.manifest.files)]) {
    await mkdir(dirname(join(to, path)), { recursive: true })
    await copyFile(join(from, path), join(to, path))
  }
}

/** Deletes temporary folders that a killed process left. */
async function removeStale(installed: string): Promise<void> {
  for (const name of await readdir(installed)) {
    if (!name.startsWith(prefix)) continue
    const info = await stat(join(installed, name)).catch(() => undefined)
    if (info !== undefined && Date.now() - info.mtimeMs > staleAfter)
      await rm(join(installed, name), { recursive: true, force: true })
  }
}

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined)

const isFull = (error: unknown) => codeOf(error) === 'ENOSPC' || codeOf(error) === 'EDQUOT'

function unlessMissing(error: unknown): void {
  if (codeOf(error) !== 'ENOENT') throw error
}
