import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { extensionFolder } from '@pult/testkit'
import { expect, test } from 'vitest'
import { noRights, type Rights } from '../manifests/rights.ts'
import { findVersions, manifestOf } from './library.ts'
import { decideRunning, type ExtensionState } from './running.ts'
import { stagePackage } from './staging.ts'

const role = { id: 'reader', label: 'Reader', roles: ['reports'] }
const product = (sku: string) => ({ sku, label: sku, roles: [role] })
const version = (number: string, more: object = {}) => ({
  manifest: { id: 'reports', version: number, ...more },
})
const nowhere = '/there/is/no/such/folder'

async function decided(
  folders: { bundled?: string; installed?: string; console?: string },
  states: (Pick<ExtensionState, 'id' | 'isEnabled' | 'digest'> & Partial<ExtensionState>)[] = [],
) {
  const found = await findVersions({ bundled: nowhere, installed: nowhere, console: null, ...folders })
  const all = decideRunning(
    found,
    states.map((state, index) => ({
      backendUrl: null,
      backendAllowsHttp: false,
      changedAt: new Date(1000 + index),
      rights: null,
      ...state,
    })),
  )
  return { found, all, runs: all.map(({ id, running }) => [id, running?.manifest.version ?? null]) }
}

test('DEC-21 versions of one extension are grouped, newest first by semantic version', async () => {
  const installed = await extensionFolder({
    a: version('1.9.0'),
    b: version('1.10.0'),
    c: version('1.10.0-beta.2'),
    d: version('0.3.0'),
    // A copy of the same bytes.
    copy: version('1.9.0'),
    other: { manifest: { id: 'other' } },
  })
  await mkdir(join(installed, 'empty'))
  const bundled = await extensionFolder({ reports: version('1.2.0') })
  const { found, runs } = await decided({ bundled, installed })
  expect(found.get('reports')?.map((one) => [manifestOf(one)?.version, one.source])).toEqual([
    ['1.10.0', 'installed'],
    ['1.10.0-beta.2', 'installed'],
    ['1.9.0', 'installed'],
    ['1.2.0', 'bundled'],
    ['0.3.0', 'installed'],
  ])
  // An extension that was copied into the folder is disabled, even if it is the newest.
  expect(runs).toEqual([
    ['reports', '1.2.0'],
    ['other', null],
  ])
  expect((await decided({})).all).toEqual([])
})

test('DEC-22 of two extensions with one name the bundled one runs, or else the one enabled first', async () => {
  const bundled = await extensionFolder({ reports: version('1.0.0', { products: [product('reporting')] }) })
  const installed = await extensionFolder({
    a: { manifest: { id: 'a', products: [product('sales')] } },
    b: { manifest: { id: 'b', products: [product('sales')] } },
    c: { manifest: { id: 'c', products: [product('reporting')] } },
  })
  const { found } = await decided({ bundled, installed })
  const enabled = (id: string) => ({ id, isEnabled: true, digest: found.get(id)?.[0]?.digest ?? '' })
  const { all } = await decided({ bundled, installed }, [enabled('c'), enabled('b'), enabled('a')])
  expect(all.map(({ id, running, problem }) => [id, running !== undefined, problem?.de ?? null])).toEqual([
    ['reports', true, null],
    ['a', false, 'the product sales is taken'],
    ['b', true, null],
    ['c', false, 'the product reporting is taken'],
  ])
})

test('RULE-73 an enabled version runs only with the same digest, and a bundled one in every release', async () => {
  const bundled = await extensionFolder({ reports: version('2.0.0') })
  const installed = await extensionFolder({ a: version('1.0.0'), other: { manifest: { id: 'other' } } })
  const old = (await decided({ installed })).found.get('reports')?.[0]?.digest ?? ''
  const withState = async (isEnabled: boolean, digest: string | null) =>
    (await decided({ bundled, installed }, [{ id: 'reports', isEnabled, digest }])).all[0]

  expect((await withState(true, null))?.running?.manifest.version).toBe('2.0.0')
  expect((await withState(true, old))?.running?.manifest.version).toBe('1.0.0')
  expect((await withState(false, old))?.running).toBeUndefined()
  expect(await withState(true, 'a'.repeat(64))).toMatchObject({
    running: undefined,
    problem: { de: 'Its files have changed since it was enabled. Review and enable it again' },
  })
})

test('RULE-53 the roles of a running version hold only what root has allowed with it', async () => {
  const roles = [
    { id: 'reader', label: 'Reader', roles: ['reports', 'edges:manage'] },
    { id: 'chief', label: 'Chief', roles: ['reports'] },
  ]
  const products = [{ sku: 'reporting', label: 'Reporting', roles }]
  const installed = await extensionFolder({ a: version('1.0.0', { products }) })
  const digest = (await decided({ installed })).found.get('reports')?.[0]?.digest ?? ''
  const held = async (rights: Rights | null) => {
    const { all } = await decided({ installed }, [{ id: 'reports', isEnabled: true, digest, rights }])
    return all[0]?.running?.manifest.products[0]?.roles.map((one) => one.roles)
  }
  expect(await held({ ...noRights, roles: { 'reporting/reader': ['reports'] } })).toEqual([['reports'], []])
  // Enabled before rights were stored: the digest stands for all of them.
  expect(await held(null)).toEqual([['reports', 'edges:manage'], ['reports']])
})

test('RULE-73 a version with an import that this console does not have is listed with the reason, and not installed', async () => {
  const files = { 'entry.js': `import { useRemoved } from '@pult/sdk'\nexport default {}` }
  const given = await extensionFolder({ reports: { ...version('1.0.0'), files } })
  const built = await extensionFolder({})
  const exporting = (...names: string[]) =>
    writeFile(join(built, 'import-map.json'), JSON.stringify({ exports: { '@pult/sdk': names } }))
  const found = async () => (await decided({ bundled: given, console: built })).all[0]
  const installed = await extensionFolder({})
  const stage = () => stagePackage({ installed, console: built }, { folder: join(given, 'reports') })

  await exporting('useApi')
  const de = 'entry.js imports useRemoved from @pult/sdk, which this console does not have'
  expect(await found()).toMatchObject({ running: undefined, problem: { de } })
  await expect(stage()).rejects.toThrow(de)
  expect(await readdir(installed)).toEqual([])

  await exporting('useApi', 'useRemoved')
  expect(await found()).toMatchObject({ problem: null, running: { manifest: { version: '1.0.0' } } })
  await (await stage()).discard()
})

test('the bundled extensions import only names that the built console has', async () => {
  const clone = new URL('../../../../../', import.meta.url).pathname
  const { runs } = await decided({
    bundled: join(clone, 'dist/extensions'),
    console: join(clone, 'apps/console/dist'),
  })
  expect(runs.length).toBeGreaterThan(5)
  expect(runs.filter(([, running]) => running === null)).toEqual([])
})

test('RULE-71 a failed installation on a full disk leaves no files, and leftovers of a killed process are removed', async () => {
  const installed = await extensionFolder({})
  for (const name of ['.temporary-old', '.temporary-new']) await mkdir(join(installed, name))
  const longAgo = new Date(Date.now() - 2 * 3_600_000)
  await utimes(join(installed, '.temporary-old'), longAgo, longAgo)
  const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
  const archive = new Readable({ read: () => archive.destroy(full) })
  await expect(stagePackage({ installed, console: null }, { archive })).rejects.toMatchObject({
    code: 'NO_SPACE_LEFT',
  })
  // A recent temporary folder may belong to another process.
  expect(await readdir(installed)).toEqual(['.temporary-new'])
})
