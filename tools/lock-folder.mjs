// Plain JavaScript for Node 14 or later: ensure-install.mjs needs it before Node 24 is installed.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const projectFolder = fileURLToPath(new URL('..', import.meta.url))
const pollMilliseconds = 100
// A holder creates the folder, then writes its name. If it dies in between, the lock has no name.
const unnamedHolderMilliseconds = 10_000

function lockPath(name) {
  const clone = createHash('sha256').update(projectFolder).digest('hex').slice(0, 12)
  return join(tmpdir(), `pult-${clone}-${name}.lock`)
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

function readHolders(path) {
  try {
    return readFileSync(join(path, 'holders'), 'utf8')
  } catch {
    return ''
  }
}

function isStale(path) {
  const pids = readHolders(path).split('\n').filter(Boolean).map(Number)
  if (pids.length > 0) return !pids.some(isAlive)
  try {
    return Date.now() - statSync(path).mtimeMs > unnamedHolderMilliseconds
  } catch {
    return false
  }
}

function removeStale(path) {
  const holders = readHolders(path)
  const grave = `${path}.${process.pid}.stale`
  try {
    renameSync(path, grave)
  } catch {
    return
  }
  // Another process may have replaced the stale lock between the two steps.
  if (readHolders(grave) === holders) rmSync(grave, { recursive: true, force: true })
  else renameSync(grave, path)
}

function tryAcquire(path) {
  try {
    mkdirSync(path)
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
  writeFileSync(join(path, 'holders'), `${process.pid}\n`)
  return true
}

export async function withLock(name, { timeoutSeconds, onWait = () => {} }, work) {
  const path = lockPath(name)
  const deadline = Date.now() + timeoutSeconds * 1000
  for (let waits = 0; !tryAcquire(path); waits += 1) {
    if (waits === 0) onWait()
    if (isStale(path)) removeStale(path)
    else if (Date.now() > deadline)
      throw new Error(`another process has held ${path} for more than ${timeoutSeconds} s`)
    else await new Promise((resolve) => setTimeout(resolve, pollMilliseconds))
  }
  const release = () => rmSync(path, { recursive: true, force: true })
  process.once('exit', release)
  try {
    // A child that outlives a killed holder still uses the locked folder, so it must hold the lock as well.
    return await work({
      shareWith: (pid) => writeFileSync(join(path, 'holders'), `${process.pid}\n${pid}\n`),
    })
  } finally {
    process.removeListener('exit', release)
    release()
  }
}
