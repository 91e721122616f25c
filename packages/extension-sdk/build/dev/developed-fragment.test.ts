import type { AppManifest, ExtensionManifest, Fragment } from '@pult/contract'
import { expect, test } from 'vitest'
import { withDeveloped } from './developed-fragment.ts'

const appOf = (id: string, productSku: string): AppManifest => ({
  id,
  uuid: '0193a3f0-6b11-7d02-8a4e-5c9d1e2f3a40',
  label: id,
  icon: 'box',
  productSku,
  priority: 1000,
  container: 'page',
})
const [pumps, fleet] = [appOf('pumps', 'pumps'), appOf('fleet', 'root')]

const manifest: ExtensionManifest = {
  id: 'pumps',
  version: '2.0.0',
  label: 'Pumps',
  sdk: '^1.0.0',
  products: [],
  apps: [pumps, fleet],
  files: {},
}
const entry = '/@dev/src/extension.ts'

const installed = (id: string): Fragment => ({
  id,
  version: '1.0.0',
  label: `${id} as installed`,
  entry: `/extensions/${id}/entry.js`,
  integrity: { [`/extensions/${id}/entry.js`]: 'sha256-x' },
  styles: [`/extensions/${id}/entry.css`],
  sdk: '^1.0.0',
  apps: [appOf(id, id)],
  isBundled: false,
})

const developed: Fragment = {
  id: 'pumps',
  version: '2.0.0',
  label: 'Pumps',
  entry,
  integrity: {},
  styles: [],
  sdk: '^1.0.0',
  apps: [pumps],
  isBundled: false,
}

test('the extension under development replaces the installed one', () => {
  const fragments = [installed('pumps'), installed('valves')]
  expect(withDeveloped(fragments, { manifest, entry }, true)).toEqual([installed('valves'), developed])
})

test('the extension under development appears if the server does not have it', () => {
  expect(withDeveloped([installed('valves')], { manifest, entry }, true)).toEqual([
    installed('valves'),
    developed,
  ])
})

test('a project lists no root apps, and root lists no apps of projects', () => {
  expect(withDeveloped([], { manifest, entry }, false)).toEqual([{ ...developed, apps: [fleet] }])
})

test('an extension without apps for the scope is omitted, and so is its installed version', () => {
  const without = { ...manifest, apps: [fleet] }
  expect(withDeveloped([installed('pumps')], { manifest: without, entry }, true)).toEqual([])
})

test('an error in the manifest is shown in the apps of the extension', () => {
  const problem = 'manifest.json is not JSON'
  expect(withDeveloped([], { manifest, entry, problem }, true)).toEqual([{ ...developed, problem }])
})
