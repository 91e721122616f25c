// npm run sbom: writes the list of components that Pult ships, as CycloneDX, to dist/sbom.cdx.json.
import { execFile } from 'node:child_process'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { root } from './steps.ts'

export const sbomFile = join(root, 'dist/sbom.cdx.json')

interface Bom {
  components: { 'bom-ref': string }[]
  dependencies: { ref: string; dependsOn?: string[] }[]
}

interface Lockfile {
  packages: Record<
    string,
    {
      name?: string
      version?: string
      dependencies?: Record<string, string>
      optionalDependencies?: Record<string, string>
    }
  >
}

/** Writes the SBOM from package-lock.json alone, so that the result does not depend on installed packages. */
export async function writeSbom(file = sbomFile): Promise<void> {
  // In production npm omits every package that any workspace declares for development, even shipped ones.
  const included = ['--include=dev', '--include=optional', '--include=peer']
  const args = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', ...included]
  const { stdout } = await promisify(execFile)('npm', args, {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'development' },
    maxBuffer: 64 * 1024 ** 2,
    shell: process.platform === 'win32',
  })
  const bom = JSON.parse(stdout) as Bom
  const lockfile = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as Lockfile
  const shipped = shippedRefs(bom, lockfile)
  const components = bom.components.filter((component) => shipped.has(component['bom-ref']))
  const listed = new Set(components.map((component) => nameOf(component['bom-ref'])))
  const missing = declaredByApps(lockfile).filter((name) => !listed.has(name))
  if (missing.length > 0) throw new Error(`npm did not list ${missing.join(', ')}`)
  const dependencies = bom.dependencies.filter(({ ref }) => shipped.has(ref))
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, `${JSON.stringify({ ...bom, components, dependencies }, null, 2)}\n`)
}

/** Returns the names of the packages that the server and the console declare as dependencies. */
function declaredByApps({ packages }: Lockfile): string[] {
  const apps = ['apps/server', 'apps/console']
  return apps.flatMap((path) => Object.keys(packages[path]?.dependencies ?? {}))
}

const nameOf = (ref: string) => ref.slice(0, ref.lastIndexOf('@'))

/**
 * Returns the apps and bundled extensions with all their dependencies. npm's `--omit=dev` would omit a shipped package
 * that any workspace declares for its tests.
 */
function shippedRefs(bom: Bom, { packages }: Lockfile): Set<string> {
  const dependsOn = new Map(bom.dependencies.map(({ ref, dependsOn: refs = [] }) => [ref, refs]))
  const workspaces = new Map(
    Object.entries(packages)
      .filter(([path]) => !path.includes('node_modules'))
      .map(([path, entry]) => [`${entry.name}@${entry.version}`, { path, ...entry }]),
  )
  const shipped = new Set<string>()
  const visit = (ref: string): void => {
    if (shipped.has(ref)) return
    shipped.add(ref)
    const workspace = workspaces.get(ref)
    const declared = workspace && { ...workspace.dependencies, ...workspace.optionalDependencies }
    for (const next of dependsOn.get(ref) ?? []) {
      if (declared === undefined || nameOf(next) in declared) visit(next)
    }
  }
  for (const [ref, { path }] of workspaces) {
    if (path === '' || path.startsWith('apps/') || path.startsWith('extensions/')) visit(ref)
  }
  return shipped
}

/**
 * Writes the list as part of the console's build if package-lock.json is newer. Only warns about a failure, because
 * Pult runs without the list.
 */
export async function updateSbom(file = sbomFile): Promise<void> {
  const [list, lockFile] = await Promise.all([timeOf(file), timeOf(join(root, 'package-lock.json'))])
  if (list > lockFile) return
  await writeSbom(file).catch((error: unknown) =>
    console.warn(`The SBOM could not be written: ${String(error)}`),
  )
}

const timeOf = (path: string) =>
  stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  )

if (import.meta.main) {
  await writeSbom()
  console.log(`Wrote ${sbomFile}`)
}
