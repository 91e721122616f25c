import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ExtensionManifest, extensionManifest } from '@pult/contract'
import { afterAll, expect, test } from 'vitest'

const home = mkdtempSync(join(tmpdir(), 'pult-create-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

function create(...args: string[]) {
  const program = join(import.meta.dirname, 'create.mjs')
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd: home,
    encoding: 'utf8',
    input: '',
  })
  return { status, output: stdout + stderr }
}

const text = (path: string) => readFileSync(join(home, path), 'utf8')
const manifestIn = (folder: string): ExtensionManifest =>
  extensionManifest.parse(JSON.parse(text(`${folder}/manifest.json`)))

test('the created package contains only the given names, and a unique id', () => {
  expect(create('night-watch', '--label', 'Night $& watch', '--author', 'Ada')).toMatchObject({ status: 0 })
  create('other')
  const made = manifestIn('night-watch')
  expect(made).toMatchObject({ id: 'night-watch', label: 'Night $& watch' })
  expect(made.products[0]?.roles[1]?.roles).toEqual(['night-watch', 'night-watch:list'])
  expect(made.apps[0]?.uuid).not.toBe(manifestIn('other').apps[0]?.uuid)
  expect(manifestIn('other').label).toBe('Other')
  expect(text('night-watch/LICENSE')).toContain(`(c) ${new Date().getFullYear()} Ada`)
  expect(text('night-watch/README.md')).toContain('# Night $& watch')
  const files = readdirSync(join(home, 'night-watch'), { recursive: true, withFileTypes: true })
  const texts = files.flatMap((file) =>
    file.isFile() ? [readFileSync(join(file.parentPath, file.name), 'utf8')] : [],
  )
  expect(texts.filter((each) => /my.extension/i.test(each))).toEqual([])
  expect(text('night-watch/.gitignore')).toContain('node_modules')
})

test('a folder that is not empty stays unchanged', () => {
  mkdirSync(join(home, 'full'))
  writeFileSync(join(home, 'full/notes.txt'), 'mine')
  const { status, output } = create('full')
  expect([status, output]).toEqual([1, expect.stringContaining('full already exists and is not empty')])
  expect(readdirSync(join(home, 'full'))).toEqual(['notes.txt'])
  mkdirSync(join(home, 'empty'))
  expect(create('empty').status).toBe(0)
})

test.each([
  [['Night Watch'], 'lower-case letters'],
  [['root'], 'The id must not be root, which is reserved'],
  [['fine', '--label', ''], 'The label must have 1 to 100'],
  [['fine', '--description', 'two\nlines'], 'one line'],
  [['fine', '--sdk', 'nowhere.tgz'], 'nowhere.tgz does not exist'],
  [['fine', '--colour', 'red'], '--colour'],
  [['fine', 'finer'], 'Name one folder only'],
])('%j is rejected before any file is written', (args, message) => {
  const { status, output } = create(...args)
  expect([status, output]).toEqual([1, expect.stringContaining(message)])
  expect(existsSync(join(home, args[0] ?? ''))).toBe(false)
})

test('a packed SDK is copied into the folder, which then needs no registry for the SDK', () => {
  writeFileSync(join(home, 'pult-sdk-1.0.0.tgz'), 'packed')
  create('own', '--sdk', 'pult-sdk-1.0.0.tgz', '--id', 'other-id')
  const { devDependencies } = JSON.parse(text('own/package.json'))
  expect(devDependencies['@pult/sdk']).toBe('file:vendor/pult-sdk-1.0.0.tgz')
  expect(text('own/vendor/pult-sdk-1.0.0.tgz')).toBe('packed')
  expect(manifestIn('own').id).toBe('other-id')
})
