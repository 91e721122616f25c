import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import manifest from '../package.json' with { type: 'json' }

const root = join(import.meta.dirname, '..')
const textOf = (path: string) => readFileSync(join(root, path), 'utf8')

/** Parts that other projects use have their own versions. */
const isReleasedAlone = (path: string) =>
  /^extensions\/|\/(?:extension-sdk|create-pult-extension)\//.test(path)

test('the newest heading of CHANGELOG.md is the version', () => {
  const [, newest] = /^## (.+)$/m.exec(textOf('CHANGELOG.md')) ?? []
  expect(newest).toBe(manifest.version)
})

test('each heading of CHANGELOG.md is a version, and older than the one above it', () => {
  const versions = [...textOf('CHANGELOG.md').matchAll(/^## (.+)$/gm)].map(([, version = '']) => version)
  const parts = versions.map((version) => /^(\d+)\.(\d+)\.(\d+)$/.exec(version)?.slice(1).map(Number))
  expect(parts).not.toContain(undefined)
  const order = (part: number[] = []) => part.reduce((sum, each) => sum * 1000 + each, 0)
  expect(parts.map(order)).toEqual(parts.map(order).toSorted((a, b) => b - a))
  expect(new Set(versions).size).toBe(versions.length)
})

test('every part of the server and the console has the version of package.json', () => {
  const paths = globSync('{apps,packages,extensions}/*/package.json', { cwd: root })
  const own = paths.filter((path) => !isReleasedAlone(path))
  expect(own.length).toBeGreaterThan(4)
  for (const path of own)
    expect((JSON.parse(textOf(path)) as { version: string }).version, path).toBe(manifest.version)
})

test('the guide of the installation names the archive of this version', () => {
  const named = [...textOf('docs/operations/install.md').matchAll(/pult-(\S+?)-linux/g)].map(
    ([, version]) => version,
  )
  expect(new Set(named)).toEqual(new Set([manifest.version]))
})

test('SECURITY.md names the minor version that receives fixes', () => {
  expect(textOf('SECURITY.md')).toContain(`(${manifest.version.split('.').slice(0, 2).join('.')})`)
})
