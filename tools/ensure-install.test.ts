import { spawn } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

let clone: string

const fakeNpm = `
const fs = require('node:fs')
const path = require('node:path')
fs.appendFileSync('npm-calls.log', process.argv.slice(2).join(' ') + '\\n')
if (process.env.FAKE_NPM_FAILS) { console.error('npm error network unreachable'); process.exit(7) }
setTimeout(() => {
  fs.mkdirSync('node_modules/.bin', { recursive: true })
  const { packages } = JSON.parse(fs.readFileSync('package-lock.json', 'utf8'))
  delete packages['']
  delete packages['node_modules/for-another-system']
  fs.writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages }))
  if (process.env.FAKE_NODE) {
    fs.writeFileSync('node_modules/.bin/node', '#!/bin/sh\\n' + process.env.FAKE_NODE + '\\n', { mode: 0o755 })
  } else fs.symlinkSync(process.execPath, 'node_modules/.bin/node')
}, 300)
`

beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), 'pult-install-test-'))
  mkdirSync(join(clone, 'tools'))
  for (const file of ['ensure-install.mjs', 'lock-folder.mjs']) {
    copyFileSync(join(import.meta.dirname, file), join(clone, 'tools', file))
  }
  writeFileSync(join(clone, 'npm-cli.js'), fakeNpm)
  writeLockfile('1.0.0')
})

afterEach(() => rmSync(clone, { recursive: true, force: true }))

function writeLockfile(version: string) {
  const packages = {
    '': { name: 'pult' },
    'node_modules/left': { version, integrity: `sha512-${version}` },
    'node_modules/for-another-system': { version: '1.0.0', optional: true, os: ['aix'], cpu: ['ppc64'] },
  }
  writeFileSync(join(clone, 'package-lock.json'), JSON.stringify({ packages }))
}

async function run(env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [join(clone, 'tools/ensure-install.mjs')], {
    cwd: clone,
    env: {
      ...process.env,
      npm_execpath: join(clone, 'npm-cli.js'),
      npm_node_execpath: process.execPath,
      ...env,
    },
  })
  let output = ''
  child.stdout.on('data', (chunk) => (output += String(chunk)))
  child.stderr.on('data', (chunk) => (output += String(chunk)))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, output }
}

function npmCalls() {
  const log = join(clone, 'npm-calls.log')
  return existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n').length : 0
}

test('the script installs once, then does nothing', async () => {
  expect((await run()).code).toBe(0)
  expect(await run()).toEqual({ code: 0, output: '' })
  expect(npmCalls()).toBe(1)
})

test('the script installs again if the content of the lockfile changes, but not for a new time', async () => {
  await run()
  writeLockfile('1.0.0')
  await run()
  expect(npmCalls()).toBe(1)
  writeLockfile('1.0.1')
  await run()
  expect(npmCalls()).toBe(2)
})

test('the script accepts packages that were installed by hand', async () => {
  await run()
  rmSync(join(clone, 'node_modules/.pult-lock-hash'))
  await run()
  expect(npmCalls()).toBe(1)
})

test('the script installs an optional package of this system that npm could not download before', async () => {
  await run()
  rmSync(join(clone, 'node_modules/.pult-lock-hash'))
  const lockfile = join(clone, 'package-lock.json')
  const lock = JSON.parse(readFileSync(lockfile, 'utf8')) as { packages: Record<string, object> }
  lock.packages['node_modules/node-here'] = {
    version: '24.0.0',
    optional: true,
    os: [process.platform],
    cpu: [process.arch],
  }
  writeFileSync(lockfile, JSON.stringify(lock))
  await run()
  expect(npmCalls()).toBe(2)
})

test('two concurrent runs install once', async () => {
  const codes = (await Promise.all([run(), run(), run()])).map(({ code }) => code)
  expect(codes).toEqual([0, 0, 0])
  expect(npmCalls()).toBe(1)
})

test('a failure of npm adds one clear line to npm’s message', async () => {
  const { code, output } = await run({ FAKE_NPM_FAILS: '1' })
  expect(code).toBe(1)
  expect(output.match(/npm error network unreachable/)).not.toBeNull()
  expect(output.match(/^The packages could not be installed: npm ci ended with code 7\./m)).not.toBeNull()
  expect(output).not.toContain('    at ')
})

test('a packaged Node that does not run here is replaced by the system’s Node', async () => {
  expect((await run({ FAKE_NODE: 'exit 127' })).code).toBe(0)
  expect(existsSync(join(clone, 'node_modules/.bin/node'))).toBe(false)
  expect(await run()).toEqual({ code: 0, output: '' })
})
