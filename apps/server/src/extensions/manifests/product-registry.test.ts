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
