import type { ExtensionManifest } from '@pult/contract'
import { expect, test } from 'vitest'
import { createProductRegistry } from './product-registry.ts'

const role = { id: 'reader', label: 'Reader', roles: ['reports', 'reports:export'] }
const product = (sku: string) => ({ sku, label: sku, roles: [role] })
const extension = (id: string, skus: string[]): ExtensionManifest => ({
  id,
  version: '1.0.0',
  label: id,
  products: skus.map(product),
  apps: [],
  files: {},
})

test('RULE-53 ROLE-01 roles are matched by exact name and unfold without duplicates', () => {
  const registry = createProductRegistry()
  registry.replace([extension('reports', ['reporting', 'other'])])
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

test('ROLE-01 a product role permits writing with an entry beyond an app, or if its product has no higher role for the app', () => {
  const registry = createProductRegistry()
  const roleOf = (id: string, roles: string[]) => ({ id, label: id, roles })
  const productOf = (sku: string, roles: ReturnType<typeof roleOf>[]) => ({ sku, label: sku, roles })
  registry.replace([
    {
      ...extension('library', []),
      products: [
        productOf('library', [
          roleOf('viewer', ['library']),
          roleOf('editor', ['library', 'library:edit']),
          roleOf('owner', ['library', 'library:edit', 'library:people']),
        ]),
        productOf('wall', [roleOf('user', ['wall'])]),
        productOf('hall', [
          roleOf('none', []),
          roleOf('visitor', ['lobby']),
          roleOf('builder', ['lobby', 'build']),
        ]),
      ],
    },
  ])
  const idsOf = (...skus: string[]) => registry.writingRoles(skus, 'de').map(({ id }) => id)
  expect(idsOf('library', 'wall')).toEqual(['wall/user', 'library/editor', 'library/owner'])
  expect(idsOf('hall')).toEqual(['hall/builder'])
  expect(idsOf('other')).toEqual([])
})

test('kinds of tasks are listed with the products of their extension, in the language of the reader', () => {
  const registry = createProductRegistry()
  const tasks = [{ kind: 'render', label: 'Rendering', labels: { 'de-DE': 'Bildberechnung' } }]
  registry.replace([{ ...extension('farm', ['forge', 'mill']), tasks }, extension('others', ['other'])])
  const kindsIn = (language: 'de' | 'de-DE') =>
    registry.list(language).map((one) => [one.sku, one.tasks.map(({ type, label }) => `${type}: ${label}`)])
  expect(kindsIn('de')).toEqual([
    ['forge', ['farm/render: Rendering']],
    ['mill', ['farm/render: Rendering']],
    ['other', []],
  ])
  expect(kindsIn('de-DE')[0]).toEqual(['forge', ['farm/render: Bildberechnung']])
})

test('ROLE-01 a removed product gives no scope', () => {
  const registry = createProductRegistry()
  registry.replace([extension('reports', ['reporting'])])
  registry.replace([extension('others', ['other'])])
  expect(registry.scopeOf([{ projectId: 'A', productRole: 'reporting/reader' }])).toEqual([])
  expect(registry.list().map(({ sku }) => sku)).toEqual(['other'])
})

test('RULE-53 the label of a role names the roles of apps of other extensions that it gives', () => {
  const app = (id: string, more: object = {}) => ({
    id,
    uuid: '0193a3f0-5a2e-7c41-9d5b-2f1b7a6c0d11',
    label: id,
    icon: 'box',
    productSku: 'other',
    priority: 1,
    container: 'page' as const,
    ...more,
  })
  const roles = ['reports', 'reports:export', 'edges:manage', 'stock', 'vault:open', 'unknown']
  const products = [{ sku: 'reporting', label: 'Reporting', roles: [{ ...role, roles }] }]
  const registry = createProductRegistry()
  registry.replace([
    { ...extension('reports', []), products, apps: [app('reports')] },
    { ...extension('warehouse', []), apps: [app('stock'), app('safe', { role: 'vault' })] },
  ])
  const label = 'Reader (+ edges:manage, stock, vault:open)'
  expect(registry.list()[0]?.roles[0]?.label).toBe(label)
  expect(registry.roleLabels(['reporting/reader'], 'de')).toEqual([label])
  expect(registry.rolesWith('stock', ['reporting'], 'de')).toEqual([{ id: 'reporting/reader', label }])
})
