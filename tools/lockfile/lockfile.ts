export interface LockedPackage {
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
  name: string
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
      .map(([name, version]) => ({ name, version, dev })),
  )
}

/** Adds the omitted packages in npm's format. {@link withIntegrity} adds their integrity. */
export function completed(lockfile: Lockfile): Lockfile {
  const added = omissions(lockfile).map(({ name, version, dev }): [string, LockedPackage] => [
    `node_modules/${name}`,
    { version, ...systemOf(name), ...(dev && { dev }), optional: true },
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

/** Returns the packages of which an optional dependency is unverified, as `name@version`. */
export function ownersOfUnverified(lockfile: Lockfile): string[] {
  const names = new Set(unverified(lockfile).map(nameAt))
  return Object.entries(lockfile.packages)
    .filter(([, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).some((name) => names.has(name)),
    )
    .map(([path, { version }]) => `${nameAt(path)}@${version}`)
}

/** Gives the unverified packages the integrity that another lockfile has for the same version. */
export function withIntegrity(lockfile: Lockfile, other: Lockfile): Lockfile {
  const known = new Map(
    Object.entries(other.packages).map(([path, { version, integrity }]) => [
      `${nameAt(path)}@${version}`,
      integrity,
    ]),
  )
  const packages = { ...lockfile.packages }
  for (const path of unverified(lockfile)) {
    const { version = '', ...rest } = packages[path] ?? {}
    const integrity = known.get(`${nameAt(path)}@${version}`)
    packages[path] = { version, ...(integrity !== undefined && { integrity }), ...rest }
  }
  return { ...lockfile, packages }
}

const nameAt = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)

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
 * `@rolldown/binding-win32-arm64-msvc`.
 */
function systemOf(name: string): Pick<LockedPackage, 'os' | 'cpu' | 'libc'> {
  const words = name.split(/[/-]/)
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
