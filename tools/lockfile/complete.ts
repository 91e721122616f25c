// npm run lockfile: adds packages for other systems that npm omitted from package-lock.json, and missing digests.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../steps.ts'
import {
  completed,
  type Lockfile,
  omissions,
  unverified,
  unverifiedReleases,
  withIntegrity,
} from './lockfile.ts'

const file = join(root, 'package-lock.json')
const readLockfile = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as Lockfile
const former = readLockfile(file)
const missing = omissions(former)
let lockfile = completed(former)
const releases = unverifiedReleases(lockfile)
if (releases.length > 0) lockfile = withIntegrity(lockfile, resolve(releases))
const content = `${JSON.stringify(lockfile, null, 2)}\n`
if (content !== readFileSync(file, 'utf8')) writeFileSync(file, content)
console.log(`${missing.length} packages added`)
const left = unverified(lockfile)
if (left.length > 0) {
  console.error(`The registry returned no digest for ${left.join(', ')}. Run npm run lockfile again`)
  process.exitCode = 1
}

/**
 * Lets npm resolve packages in a new project, where they are optional so that npm accepts those of every system.
 * Downloads only their metadata. Returns an empty lockfile if the registry does not answer.
 */
function resolve(packages: readonly string[]): Lockfile {
  const folder = mkdtempSync(join(tmpdir(), 'pult-lockfile-'))
  try {
    const optionalDependencies = Object.fromEntries(
      packages.map((each, index) => [`package-${index}`, `npm:${each}`]),
    )
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, optionalDependencies }))
    const args = ['install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund']
    execFileSync('npm', args, { cwd: folder, stdio: 'inherit', shell: process.platform === 'win32' })
    return readLockfile(join(folder, 'package-lock.json'))
  } catch {
    // npm has printed the reason.
    return { packages: {} }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
