import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { examples, fileSettingOf, readConfig, secretSettings, settingNames } from '@pult/server/config.ts'
import { expect, onTestFinished, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const textOf = (path: string) => readFileSync(join(root, path), 'utf8')
const page = textOf('docs/operations/service.md')
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``, 'g'))].map(([, block = '']) => block)

test('each line of the unit in the guide is in the unit of the archive', () => {
  const unit = textOf('packaging/systemd/pult.service').split('\n')
  const [essential = ''] = blocks('ini')
  const lines = essential.trim().split('\n')
  expect(lines).toContain('RestartPreventExitStatus=78')
  for (const line of lines) expect(unit).toContain(line)
})

const hasAnalyzer = spawnSync('systemd-analyze', ['--version']).status === 0

test.skipIf(!hasAnalyzer)('systemd understands each line of the unit', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pult-unit-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'pult.service')
  writeFileSync(path, textOf('packaging/systemd/pult.service').replace('/opt/pult/pult', '/bin/true'))
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', path], { encoding: 'utf8' })
  expect([status, stderr.split('\n').filter((line) => line.includes(path))]).toEqual([0, []])
})

const dropIns = blocks('ini').filter((block) => block.includes('/pult.service.d/'))

test('the unit shows the lines of the guide for secrets and another disk as comments', () => {
  const unit = textOf('packaging/systemd/pult.service')
  const [secrets = '', disk = ''] = dropIns
  const lines = [...secrets.trim().split('\n').slice(2), ...(disk.match(/^ReadWritePaths=.*$/m) ?? [])]
  expect(lines.map((line) => line.split('=')[0])).toEqual(['LoadCredential', 'Environment', 'ReadWritePaths'])
  for (const line of lines) expect(unit).toContain(`\n#${line}\n`)
})

test('the settings of the drop-ins exist, and the folder of the backups may be written', () => {
  const names = [...settingNames, ...secretSettings.map(fileSettingOf)]
  const set = dropIns.flatMap((block) => [...block.matchAll(/^Environment=(\w+)=(.*)$/gm)])
  expect(set.map(([, name]) => name)).toEqual(['PULT_SECRET_FILE', 'BACKUP_FOLDER'])
  for (const [, name = ''] of set) expect<readonly string[]>(names).toContain(name)
  const [, disk = ''] = dropIns
  const [, folder = ''] = /^Environment=BACKUP_FOLDER=(.*)$/m.exec(disk) ?? []
  expect(disk).toContain(`ReadWritePaths=-${folder}\n`)
  expect(blocks('sh').join('\n')).toContain(`install -d -o pult -g pult -m 700 ${folder}\n`)
})

test.skipIf(!hasAnalyzer)('systemd understands each line of the drop-ins', () => {
  for (const block of dropIns) {
    const folder = mkdtempSync(join(tmpdir(), 'pult-drop-in-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const path = join(folder, 'pult.service')
    writeFileSync(path, textOf('packaging/systemd/pult.service').replace('/opt/pult/pult', '/bin/true'))
    mkdirSync(`${path}.d`)
    writeFileSync(join(`${path}.d`, 'override.conf'), block)
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', path], {
      encoding: 'utf8',
    })
    expect([status, stderr.split('\n').filter((line) => line.includes(path))]).toEqual([0, []])
  }
})

test('the commands of the guide are valid, and their settings are right', () => {
  const commands = blocks('sh').join('\n')
  expect(spawnSync('sh', ['-n'], { input: commands }).status).toBe(0)
  const named = [...commands.matchAll(/--env (\w+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value])
  expect(named.map(([name]) => name)).toEqual(['PULT_URL', 'TRUSTED_PROXIES'])
  readConfig(Object.fromEntries(named))
})

test('the settings of Compose and Kubernetes in the guide are right', () => {
  const [compose = '', kubernetes = ''] = blocks('yaml')
  const inCompose = [...compose.matchAll(/^ {6}([A-Z_]+): (.+)$/gm)].map(([, name = '', value = '']) => [
    name,
    value,
  ])
  const inPod = [...kubernetes.matchAll(/name: ([A-Z_]+), value: "([^"]+)"/g)].map(
    ([, name = '', value = '']) => [name, value],
  )
  for (const given of [inCompose, inPod]) {
    expect(given.length).toBeGreaterThan(1)
    for (const [name = ''] of given) expect<readonly string[]>(settingNames).toContain(name)
    readConfig(Object.fromEntries(given))
  }
  expect(examples.STOP_DELAY).toBe(Object.fromEntries(inPod).STOP_DELAY)
})

test('the containers of the guide run like the image: same user, folder, port and health addresses', () => {
  const [, kubernetes = ''] = blocks('yaml')
  const containerfile = textOf('packaging/Containerfile')
  const [, user] = /^USER (\d+)$/m.exec(containerfile) ?? []
  for (const name of ['runAsUser', 'runAsGroup', 'fsGroup']) expect(kubernetes).toContain(`${name}: ${user}`)
  expect(kubernetes).toContain('mountPath: /var/lib/pult')
  expect(containerfile).toContain('VOLUME /var/lib/pult')
  expect(kubernetes).toContain('containerPort: 8080')
  for (const path of ['live', 'ready']) expect(kubernetes).toContain(`path: /api/health/${path}, port: 8080`)
  const [, delay] = /STOP_DELAY, value: "(\d+)"/.exec(kubernetes) ?? []
  const [, grace] = /terminationGracePeriodSeconds: (\d+)/.exec(kubernetes) ?? []
  expect(Number(grace)).toBeGreaterThanOrEqual(Number(delay) + 20)
})

test('the start of an update may take four hours in Kubernetes and in a container', () => {
  const [, kubernetes = ''] = blocks('yaml')
  const [, period, failures] =
    /startupProbe: .*periodSeconds: (\d+), failureThreshold: (\d+)/.exec(kubernetes) ?? []
  expect(Number(period) * Number(failures)).toBe(4 * 3600)
  expect(textOf('packaging/Containerfile')).toContain('--start-period=4h')
  // A unit of this type has no time limit for its start.
  expect(textOf('packaging/systemd/pult.service')).not.toMatch(/^(?:Type|TimeoutStartSec|TimeoutSec)=/m)
})

test('the Compose lines of the guide are in the file for one node', () => {
  const file = textOf('packaging/compose/one-node.yml')
  const [compose = ''] = blocks('yaml')
  for (const line of compose
    .split('\n')
    .filter((each) => /read_only|tmpfs|cap_drop|security_opt|restart|grace|volumes: \[/.test(each)))
    expect(file).toContain(`${line}\n`)
})

test('no service, container or guide starts the server as npm start', () => {
  for (const path of [
    'packaging/Containerfile',
    'packaging/systemd/pult.service',
    'packaging/compose/one-node.yml',
    'packaging/compose/two-nodes.yml',
    'packaging/pult',
    'packaging/try-image.sh',
  ])
    expect(textOf(path)).not.toMatch(/npm (?:run )?start/)
})
