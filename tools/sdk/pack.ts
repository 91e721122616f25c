// npm run pack:sdk: writes the packages that extension authors install, the SDK and its generator, into
// dist/packages.
import { existsSync } from 'node:fs'
import { chmod, copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ArchivedFile, archiveOf } from '../../packages/extension-sdk/build/archive.ts'
import { writeSbom } from '../sbom.ts'
import { root } from '../steps.ts'
import { writtenFiles } from '../written-files.ts'
import { buildEntryPoints, packagesImportedBy } from './build-entry-points.ts'
import { emitTypes } from './emit-types.ts'
import { type PackageJson, readPackageJson, sdkEntryPoints, sdkFolder, workspaces } from './entry-points.ts'

const output = join(root, 'dist/packages')

/** Peer dependencies: packages of which a project needs a single copy, and optional ones for tests and builds. */
const peers = { needed: ['react', 'react-dom'], optional: ['@testing-library/react', 'vite', 'vitest'] }

/** The archives by package name. */
export interface PackedPackages {
  sdk: string
  generator: string
}

/** Packs both packages. The same sources produce the same bytes. */
export async function packSdk(into = output): Promise<PackedPackages> {
  return { sdk: await packTheSdk(into), generator: await packGenerator(into) }
}

async function packTheSdk(into: string): Promise<string> {
  const folder = join(into, 'sdk')
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const { bin = {}, ...source } = readPackageJson(sdkFolder)
  await Promise.all([emitTypes(join(folder, 'types')), buildEntryPoints(folder, bin)])
  const modules = (await filesIn(folder)).filter((path) => /\.(?:js|d\.ts)$/.test(path))
  const imported = await packagesImportedBy(modules.map((path) => join(folder, path)))
  const packed = { ...manifestOf(source, imported), bin: programsOf(bin) }
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(packed, null, 2)}\n`)
  await copyFile(join(sdkFolder, 'README.md'), join(folder, 'README.md'))
  await copyFile(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  const programs = Object.values(packed.bin)
  for (const path of programs) await chmod(join(folder, path), 0o755)
  return writeArchive(into, packed, folder, await filesIn(folder), programs)
}

const programsOf = (bin: Record<string, string>) =>
  Object.fromEntries(Object.keys(bin).map((name) => [name, `lib/${name}.js`]))

/** The published package.json: the built entry points and the dependencies. */
function manifestOf({ name, version, description, license }: PackageJson, imported: Set<string>) {
  const versions = Object.assign(
    {},
    ...Object.values(workspaces).map((folder) => {
      const { dependencies, devDependencies } = readPackageJson(join(root, 'packages', folder))
      return { ...devDependencies, ...dependencies }
    }),
    { vite: versionOf('vite'), vitest: versionOf('vitest') },
  ) as Record<string, string>
  // Declarations can refer to non-exported modules of a package.
  for (const behind of Object.keys(versions).flatMap(dependenciesOf)) versions[behind] ??= versionOf(behind)
  const own = [...imported].filter((each) => !isPeer(each)).toSorted()
  const unknown = [...own, ...peers.needed, ...peers.optional].filter((each) => versions[each] === undefined)
  if (unknown.length > 0) throw new Error(`The SDK uses ${unknown.join(', ')} and does not declare it`)
  const entryPoints = sdkEntryPoints().map(({ key, name: entryPoint, source, isForNode: _ }) => [
    key,
    {
      types: `./types/extension-sdk/${source.replace(/\.tsx?$/, '.d.ts')}`,
      default: `./lib/${entryPoint}.js`,
    },
  ])
  return {
    name,
    version,
    description,
    license,
    type: 'module',
    engines: { node: '>=20.19' },
    exports: {
      ...(Object.fromEntries(entryPoints) as object),
      './styles.css': './styles.css',
      './package.json': './package.json',
    },
    sideEffects: ['*.css'],
    dependencies: Object.fromEntries(own.map((each) => [each, versions[each]])),
    peerDependencies: {
      ...Object.fromEntries(peers.needed.map((each) => [each, `^${versions[each]}`])),
      // Authors with an older Node can use older versions.
      '@testing-library/react': '>=16',
      vite: '>=8',
      vitest: '>=4',
    },
    peerDependenciesMeta: Object.fromEntries(peers.optional.map((each) => [each, { optional: true }])),
  }
}

const isPeer = (name: string) => peers.needed.includes(name) || peers.optional.includes(name)

const dependenciesOf = (name: string) =>
  Object.keys(readPackageJson(join(root, 'node_modules', name)).dependencies ?? {}).filter((behind) =>
    existsSync(join(root, 'node_modules', behind)),
  )

const versionOf = (name: string) => readPackageJson(join(root, 'node_modules', name)).version

async function packGenerator(into: string): Promise<string> {
  const folder = join(root, 'packages/create-pult-extension')
  const { devDependencies: _, ...source } = readPackageJson(folder)
  const paths = writtenFiles(folder, ['src/**/*', 'template/**/*', 'README.md', 'package.json'])
  const written = paths.filter((path) => !/\.test\.ts$|^template\/(?:node_modules|dist)\//.test(path))
  return writeArchive(into, source, folder, written, Object.values(source.bin ?? {}))
}

/** An archive in npm's format, with all files in a folder named `package`. */
async function writeArchive(
  into: string,
  { name, version }: Pick<PackageJson, 'name' | 'version'>,
  folder: string,
  paths: readonly string[],
  programs: readonly string[],
): Promise<string> {
  const executable = new Set(programs.map((path) => path.replace(/^\.\//, '')))
  const files = await Promise.all(
    paths.map(
      async (path): Promise<ArchivedFile> => ({
        path: `package/${path}`,
        content: await readFile(join(folder, path)),
        isExecutable: executable.has(path),
      }),
    ),
  )
  await mkdir(into, { recursive: true })
  const archive = join(into, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`)
  await writeFile(archive, archiveOf(files))
  return archive
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const { sdk, generator } = await packSdk()
    await writeSbom()
    for (const path of [sdk, generator]) console.log(relative(root, path))
  } catch (error) {
    console.error(`The SDK could not be packed: ${error instanceof Error ? error.message : String(error)}`)
    process.exit(1)
  }
}
