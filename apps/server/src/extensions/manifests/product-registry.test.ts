import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { productEndpoints } from '@pult/contract'
import { testServer } from '@pult/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { createProductRegistry, readManifests } from './registry.ts'

async function folderOf(manifests: Record<string, object | string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pult-manifests-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  for (const [name, manifest] of Object.entries(manifests)) {
    await mkdir(join(folder, name))
    const text = typeof manifest === 'string' ? manifest : JSON.stringify(manifest)
    await writeFile(join(folder, name, 'manifest.json'), text)
  }
  return folder
}

const role = { id: 'reader', label: 'Reader', roles: ['reports', 'reports:export'] }
const product = (sku: string) => ({ sku, label: sku, roles: [role] })
const app = (id: string) => ({
  id,
  uuid: '0193a3f0-5a2e-7c41-9d5b-2f1b7a6c0d11',
  label: id,
  icon: 'box',
  productSku: 'reporting',
})
const extension = (id: string, more: object = {}) => ({ id, version: '1.0.0', label: id, ...more })

test('DEC-22 products come from the manifests, and a manifest that is not valid does not keep the others away', async () => {
  const folder = await folderOf({
    a: extension('reports', { products: [product('reporting')], apps: [app('reports')] }),
    b: '{ not JSON',
    c: extension('c', { secret: true }),
    d: extension('d', { products: [product('Not A Word')] }),
    e: extension('reports'),
    f: extension('f', { products: [product('reporting')] }),
    g: extension('g', { apps: [app('reports')] }),
    h: extension('h', { products: [product('twice'), product('twice')] }),
    i: extension('i', { entry: '../../etc/passwd.js' }),
    z: extension('z', { products: [product('other')] }),
  })
  await mkdir(join(folder, 'empty'))
  const { manifests, problems } = await readManifests(folder)
  expect(manifests.map(({ id }) => id)).toEqual(['reports', 'z'])
  expect(problems.map((problem) => problem.split(':')[0])).toEqual(['b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'])
  expect(problems.slice(3, 7)).toEqual([
    'e: there is an extension called reports already',
    'f: the product reporting is taken',
    'g: the app reports is taken',
    'h: the product twice is taken',
  ])
  expect(await readManifests(join(folder, 'nowhere'))).toEqual({ manifests: [], problems: [] })

  const server = await testServer({ extensionsFolder: folder })
  const ada = await server.given.person()
  const { body } = await ada.call(productEndpoints.list)
  const readerOf = (sku: string) => ({ id: `${sku}/reader`, label: 'Reader', roles: role.roles })
  expect(body).toEqual({
    items: [
      { sku: 'reporting', label: 'reporting', extension: 'reports', roles: [readerOf('reporting')] },
      { sku: 'other', label: 'other', extension: 'z', roles: [readerOf('other')] },
    ],
    total: 2,
  })
  expect(server.logLines.filter((line) => line.includes('an extension was left out'))).toHaveLength(8)
  await server.stop()
})

test('DEC-41 no extension may have the id root, nor bring the product of root apps', async () => {
  const folder = await folderOf({
    a: extension('root'),
    b: extension('b', { products: [product('root')] }),
    c: extension('c', { apps: [{ ...app('admin'), productSku: 'root' }] }),
  })
  const { manifests, problems } = await readManifests(folder)
  expect(manifests.map(({ id }) => id)).toEqual(['c'])
  expect(problems).toEqual([
    expect.stringContaining('No extension may be called root'),
    'b: the product root is taken',
  ])
})

test('RULE-53 ROLE-01 roles are known by their exact name, and unfold once each', async () => {
  const { manifests } = await readManifests(
    await folderOf({ a: extension('reports', { products: [product('reporting'), product('other')] }) }),
  )
  const registry = createProductRegistry(manifests)
  expect(registry.hasRole('reporting/reader', ['reporting'])).toBe(true)
  for (const [name, skus] of [
    ['reporting/reader', ['other']],
    ['reporting/reader', []],
    ['reporting/Reader', ['reporting']],
    ['reporting/reader/', ['reporting']],
    ['reporting', ['reporting']],
    ['reader', ['reporting']],
  ] as const) {
    expect(registry.hasRole(name, skus), name).toBe(false)
  }
  const scope = registry.scopeOf([
    { projectId: 'A', productRole: 'reporting/reader' },
    { projectId: 'A', productRole: 'other/reader' },
    { projectId: 'B', productRole: 'reporting/reader' },
    { projectId: 'B', productRole: 'reporting/none' },
  ])
  expect(scope).toEqual(['p-A/r-reports', 'p-A/r-reports:export', 'p-B/r-reports', 'p-B/r-reports:export'])
})
