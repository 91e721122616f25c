// Runs before every npm script, on any installed Node: installs the pinned packages if they are missing or differ from
// package-lock.json, and ensures that the script itself runs on Node 24 or later.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withLock } from './lock-folder.mjs'

const neededMajor = 24
const root = fileURLToPath(new URL('..', import.meta.url))
const lockfile = join(root, 'package-lock.json')
const installedLockfile = join(root, 'node_modules', '.package-lock.json')
const record = join(root, 'node_modules', '.pult-lock-hash')
const bundledNode = join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node')

/** Returns a hash of the content, because a clone or checkout changes the lockfile's time. */
function fingerprint() {
  const hash = createHash('sha256').update(readFileSync(lockfile)).digest('hex')
  return `${hash} ${statSync(installedLockfile).mtimeMs}\n`
}

function isRecorded() {
  try {
    return readFileSync(record, 'utf8') === fingerprint()
  } catch {
    return false
  }
}

/** A manual npm install has the right packages, but not this script's record. */
function isInstalled() {
  let wanted
  let installed
  try {
    wanted = JSON.parse(readFileSync(lockfile, 'utf8')).packages
    installed = JSON.parse(readFileSync(installedLockfile, 'utf8')).packages
  } catch {
    return false
  }
  return Object.keys(wanted).every((path) => {
    if (path === '') return true
    const [entry, found] = [wanted[path], installed[path]]
    if (!found) return entry.peer === true || (entry.optional === true && !isForThisSystem(entry))
    return found.version === entry.version && found.integrity === entry.integrity
  })
}

/** npm continues without an optional package that failed to download, such as the bundled Node or PostgreSQL. */
function isForThisSystem({ os, cpu, libc }) {
  return Boolean(os && cpu && !libc && os.includes(process.platform) && cpu.includes(process.arch))
}

function npmCommand() {
  const cli = process.env.npm_execpath
  return cli && /npm-cli\.[cm]?js$/.test(cli)
    ? { command: process.env.npm_node_execpath || process.execPath, leading: [cli], shell: false }
    : { command: 'npm', leading: [], shell: process.platform === 'win32' }
}

function runNpmCi(lock) {
  const { command, leading, shell } = npmCommand()
  const options = [
    'ci',
    '--include=dev',
    '--include=optional',
    '--engine-strict=false',
    '--loglevel=error',
    '--no-audit',
    '--no-fund',
  ]
  return new Promise((resolve) => {
    const npm = spawn(command, [...leading, ...options], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
      shell,
    })
    if (npm.pid) lock.shareWith(npm.pid)
    npm.once('error', (error) => resolve(error.message))
    npm.once('exit', (code, signal) =>
      resolve(code === 0 ? null : `npm ci ended with ${signal || `code ${code}`}`),
    )
  })
}

async function installOnce(lock) {
  if (!isInstalled()) {
    console.error('Installing the packages of package-lock.json. This takes a minute ...')
    const failure = await runNpmCi(lock)
    if (failure)
      throw new Error(
        `The packages could not be installed: ${failure}. See npm's message above, then run the command again.`,
      )
  }
  requireNode()
  writeFileSync(record, fingerprint())
}

function requireNode() {
  if (existsSync(bundledNode)) {
    const { status, stdout } = spawnSync(bundledNode, ['--version'], {
      encoding: 'utf8',
      shell: process.platform === 'win32',
    })
    if (status === 0 && majorOf(stdout) >= neededMajor) return
    // npm puts this folder first in the PATH of its scripts, so a Node that does not run here would hide the system's.
    unlinkSync(bundledNode)
  }
  if (majorOf(process.version) < neededMajor) {
    throw new Error(
      `Node ${neededMajor} or later is needed, this is ${process.version} and npm has none for this system: install it from https://nodejs.org`,
    )
  }
}

function majorOf(version) {
  return Number.parseInt(version.replace('v', ''), 10)
}

async function ensureInstall() {
  if (isRecorded() && (existsSync(bundledNode) || majorOf(process.version) >= neededMajor)) return
  const onWait = () => console.error('Waiting for another run that installs the packages ...')
  await withLock('install', { timeoutSeconds: 900, onWait }, installOnce)
}

ensureInstall().catch((error) => {
  console.error(error.message)
  process.exitCode = 1
})
