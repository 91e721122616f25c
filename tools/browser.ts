import { execFile } from 'node:child_process'
import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { withLock } from './lock-folder.mjs'
import { outputOfFailure } from './steps.ts'

const execute = promisify(execFile)

/** Flags with which a headless Chromium runs as root and in a container, and opens no connections without a page. */
export const chromiumFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** The headless shell is preferred: the same engine without the browser UI, which makes tests a fifth faster. */
const commandNames = [
  'chromium-headless-shell',
  'chrome-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'chrome',
]
const usualPlaces = [
  '/usr/lib/chromium/chromium',
  '/opt/google/chrome/chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/**
 * Returns the path of a working Chromium: the one that `CHROME_PATH` names, an installed one, or one that it installs
 * (Debian's package as root on Debian, Playwright's elsewhere). Throws a one-line instruction if it finds none.
 */
export async function findBrowser(): Promise<string> {
  const named = process.env.CHROME_PATH
  if (named) {
    if (isExecutable(named)) return named
    throw new Error(`CHROME_PATH names ${named}, which cannot be executed.`)
  }
  return (await findInstalled()) ?? (await withLock('browser', { timeoutSeconds: 900 }, installBrowser))
}

async function findInstalled(): Promise<string | null> {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  const inPath = commandNames.flatMap((name) => folders.map((folder) => join(folder, name)))
  for (const path of [...inPath, ...usualPlaces]) {
    if (await isChromium(path)) return path
  }
  const { chromium } = await import('playwright-core')
  return (await isChromium(chromium.executablePath())) ? chromium.executablePath() : null
}

async function installBrowser(): Promise<string> {
  // Another process may have installed it while this one waited for the lock.
  const installed = await findInstalled()
  if (installed) return installed
  const failures: string[] = []
  for (const install of isRootOnDebian()
    ? [installDebian('chromium-headless-shell'), installDebian('chromium'), installPlaywrights]
    : [installPlaywrights]) {
    const failure = await install()
    const found = failure ? null : await findInstalled()
    if (found) return found
    failures.push(failure === null ? 'the installed one does not run' : gistOf(failure))
  }
  throw new Error(
    `No Chromium was found and none could be installed (${failures.join('; ')}): install Chromium or Chrome, or set CHROME_PATH to one.`,
  )
}

const installDebian = (debianPackage: string) => async (): Promise<string | null> => {
  console.log(`Installing the Debian package ${debianPackage} for the tests ...`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const waitForOthers = ['-o', 'DPkg::Lock::Timeout=300']
  return (
    (await outputOfFailure({ program: 'apt-get', args: [...waitForOthers, 'update'] }, env)) ??
    (await outputOfFailure(
      { program: 'apt-get', args: [...waitForOthers, 'install', '-y', debianPackage] },
      env,
    ))
  )
}

async function installPlaywrights(): Promise<string | null> {
  console.log("Downloading Playwright's Chromium for the tests ...")
  const cli = join(dirname(createRequire(import.meta.url).resolve('playwright-core/package.json')), 'cli.js')
  return outputOfFailure(
    { program: process.execPath, args: [cli, 'install', '--no-shell', 'chromium'] },
    process.env,
  )
}

/** Failing installers print long logs, so only the line with the error is shown. */
function gistOf(output: string) {
  const lines = output.split('\n')
  return (lines.find((line) => /error|^E: /i.test(line)) ?? lines.at(-1) ?? '').trim()
}

function isRootOnDebian() {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get') || !existsSync('/etc/os-release'))
    return false
  // Ubuntu's package of this name only installs a snap.
  return /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'))
}

function isExecutable(path: string) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Some systems have a script of this name that only prints how to install the browser. */
async function isChromium(path: string) {
  if (!isExecutable(path)) return false
  try {
    return /chrom/i.test(await browserVersion(path))
  } catch {
    return false
  }
}

/** Returns the browser's name and version, such as `Chromium 156.0.8078.108`. */
export async function browserVersion(path: string): Promise<string> {
  const { stdout } = await execute(path, ['--version', '--no-sandbox'], { timeout: 20_000 })
  return stdout.trim()
}
