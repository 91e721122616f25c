import { isBuiltin } from 'node:module'
import { posix } from 'node:path'
import type { Import } from './imports.ts'

/** The rules of a package.json for imports into and out of its package. */
export interface Manifest {
  folder: string
  name: string
  imports: Record<string, string>
  exports: Record<string, string>
  dependencies: string[]
  devDependencies: string[]
}

export type Target =
  | { kind: 'file'; path: string; relative: boolean }
  | { kind: 'workspace'; folder: string }
  | { kind: 'builtin' }
  | { kind: 'package'; name: string }

interface PackageJson {
  name: string
  imports?: Record<string, string>
  exports?: Record<string, string>
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  devDependencies?: Record<string, string>
}

export function readManifest(folder: string, text: string): Manifest {
  const json = JSON.parse(text) as PackageJson
  const needed = { ...json.dependencies, ...json.optionalDependencies, ...json.peerDependencies }
  return {
    folder,
    name: json.name,
    imports: json.imports ?? {},
    exports: json.exports ?? {},
    dependencies: Object.keys(needed),
    devDependencies: Object.keys(json.devDependencies ?? {}),
  }
}

export function manifestOf(path: string, manifests: Manifest[]): Manifest | undefined {
  return manifests.find((manifest) => path.startsWith(`${manifest.folder}/`))
}

/** Returns the target of an import, relative to the project's root. The compiler checks whether the file exists. */
export function resolveImport(importer: string, specifier: string, manifests: Manifest[]): Target {
  const plain = specifier.replace(/\?.*$/, '')
  if (plain.startsWith('.')) {
    return { kind: 'file', path: posix.join(posix.dirname(importer), plain), relative: true }
  }
  const own = manifestOf(importer, manifests)
  if (plain.startsWith('#')) {
    const path = own && throughMap(own.imports, plain)
    return path ? { kind: 'file', path: posix.join(own.folder, path), relative: false } : packageTarget(plain)
  }
  if (isBuiltin(plain)) return { kind: 'builtin' }
  const workspace = manifests.find(({ name }) => plain === name || plain.startsWith(`${name}/`))
  if (!workspace) return packageTarget(plain)
  const path = throughMap(workspace.exports, `.${plain.slice(workspace.name.length)}`)
  return path
    ? { kind: 'file', path: posix.join(workspace.folder, path), relative: false }
    : { kind: 'workspace', folder: workspace.folder }
}

/** Returns the longest matching key of an `imports` or `exports` map, as Node resolves it. */
function throughMap(map: Record<string, string>, specifier: string): string | null {
  const candidates = Object.entries(map).map(([key, target]) => {
    const [before = '', after] = key.split('*')
    if (after === undefined)
      return { length: Number.POSITIVE_INFINITY, path: key === specifier ? target : null }
    const matches = specifier.startsWith(before) && specifier.endsWith(after)
    const star = specifier.slice(before.length, specifier.length - after.length)
    return { length: before.length, path: matches ? target.replaceAll('*', star) : null }
  })
  return (
    candidates.filter(({ path }) => path !== null).toSorted((a, b) => b.length - a.length)[0]?.path ?? null
  )
}

function packageTarget(specifier: string): Target {
  return {
    kind: 'package',
    name: specifier
      .split('/')
      .slice(0, specifier.startsWith('@') ? 2 : 1)
      .join('/'),
  }
}

export function declares(manifest: Manifest, name: string, { typeOnly }: Import): boolean {
  if (manifest.dependencies.includes(name)) return true
  const types = `@types/${name.replace(/^@/, '').replace('/', '__')}`
  return typeOnly && [name, types].some((each) => manifest.devDependencies.includes(each))
}
