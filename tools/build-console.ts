import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import manifest from '../package.json' with { type: 'json' }
import { updateSbom } from './sbom.ts'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const consoleFolder = join(root, 'apps/console')
const output = join(consoleFolder, 'dist')
const stamp = join(output, '.sources')
const sources = [
  'apps/console',
  'packages/ui',
  'packages/contract',
  'packages/extension-sdk',
  'package-lock.json',
]

/** Milliseconds for which files of a replaced build are kept, for tabs that still use them. */
const oldAssetsKept = 24 * 60 * 60 * 1000

/** The number of builds whose files are kept, because the server lists every file when it starts. */
const oldBuildsKept = 4

/** Returns whether the last build matches the current sources. */
export async function isConsoleBuilt(): Promise<boolean> {
  return (await readFile(stamp, 'utf8').catch(() => '')) === (await fingerprintOf(sources))
}

/** Builds the console when its sources differ from those of the last build. */
export async function buildConsole(): Promise<void> {
  if (await isConsoleBuilt()) return
  const fingerprint = await fingerprintOf(sources)

  console.log('Building the console …')
  const build = { version: manifest.version, timestamp: new Date().toISOString(), commit: currentCommit() }
  // Runs in a separate process, parallel to the bundler.
  const sbom = updateSbom()
  const { build: viteBuild } = await import('vite')
  // The build's timestamp becomes part of the document.
  process.env.PULT_BUILD_TIMESTAMP = build.timestamp
  process.env.PULT_BUILD_COMMIT = build.commit
  const former = await readFile(manifestOf(output), 'utf8').catch(() => '')
  await viteBuild({ root: consoleFolder, logLevel: 'warn', build: { manifest: true } })
  await sbom
  await writeFile(join(output, 'build.json'), JSON.stringify(build))
  await removeOldAssets(output, former)
  await writeFile(stamp, fingerprint)
}

/** Compares names, sizes and times, because reading all files would take as long as the build. */
async function fingerprintOf(paths: string[]): Promise<string> {
  const hash = createHash('sha256')
  async function add(path: string): Promise<void> {
    const info = await stat(path)
    if (!info.isDirectory()) {
      hash.update(`${path} ${info.size} ${info.mtimeMs}\n`)
      return
    }
    for (const name of (await readdir(path)).toSorted()) {
      if (name === 'node_modules' || name === 'dist' || name.endsWith('.test.ts')) continue
      await add(join(path, name))
    }
  }
  for (const path of paths) await add(join(root, path))
  return hash.digest('hex')
}

function currentCommit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return 'unknown'
  }
}

/** The manifest names the files of a build. */
const manifestOf = (built: string) => join(built, '.vite/manifest.json')

/**
 * A build touches its own entries and those of the build that it replaces, whose day begins now. Deletes entries
 * untouched for a day, and the oldest ones above the limit.
 *
 * @param former The manifest of the replaced build; empty if there was none.
 */
export async function removeOldAssets(built: string, former: string): Promise<void> {
  const folder = join(built, 'assets')
  await mkdir(folder, { recursive: true })
  const current = await readFile(manifestOf(built), 'utf8')
  const now = new Date()
  let currentCount = 0
  const old: { path: string; touched: number }[] = []
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const isOf = (listed: string) => listed.includes(`assets/${name.replace(/\.(br|gz|map)$/, '')}`)
    if (isOf(current) || isOf(former)) await utimes(path, now, now)
    if (isOf(current)) currentCount += 1
    else old.push({ path, touched: (await stat(path)).mtimeMs })
  }
  const newest = old.toSorted((a, b) => b.touched - a.touched)
  for (const [place, { path, touched }] of newest.entries())
    if (place >= currentCount * oldBuildsKept || now.getTime() - touched > oldAssetsKept) await rm(path)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await buildConsole()
  } catch (error) {
    console.error(`The console could not be built: ${error instanceof Error ? error.message : String(error)}`)
    process.exit(1)
  }
}
