import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { extensionManifest } from '@pult/contract'
import { afterAll, expect, test } from 'vitest'
import type { Extension } from '../src/define-extension.ts'
import { problemsOfEntry } from './registered-parts.ts'

// Inside the package, so that the extension finds TypeScript.
const home = await mkdtemp(join(import.meta.dirname, '.check-'))
afterAll(() => rm(home, { recursive: true, force: true }))

const card = { id: 'crew', label: 'Crew' }
const app = {
  id: 'show',
  uuid: '0193a3f0-5a2e-7c41-9d5b-2f1b7a6c0d11',
  label: 'Show',
  icon: 'box',
  productSku: 'project',
  tabs: [{ id: 'plan', label: 'Plan' }],
  cards: [card],
  navigation: {},
  search: [{ id: 'cues', label: 'Cues' }],
  pageTabs: [{ id: 'heat', page: 'edge', label: 'Heat' }],
  actions: [{ id: 'start', label: 'Start' }],
}
const noParts = {
  tabs: undefined,
  cards: undefined,
  navigation: undefined,
  search: undefined,
  pageTabs: undefined,
  actions: undefined,
}
const manifest = { id: 'show', version: '1.0.0', label: 'Show', sdk: '^1.0.0', apps: [app] }
const good = {
  'src/extension.ts': `
    import { defineExtension } from '@pult/sdk'
    export default defineExtension({ register: ({ registerApp }) => registerApp({
      id: 'show', loader: () => import('./app.ts'),
      cards: { crew: () => import('./card.ts') },
      navigation: () => import('./navigation.ts'),
      search: { cues: () => import('./search.ts') },
      actions: { start: () => import('./action.ts') },
      pageTabs: { heat: () => import('./heat.ts') },
    }) })`,
  'src/app.ts': `
    import { defineApp } from '@pult/sdk'
    import { resourceRoute } from '@pult/sdk/resource'
    import { Card } from '@pult/sdk/ui'
    export default defineApp({ routes: [{ name: 'app-show', path: '', Component: () => Card({ children: null }) }, resourceRoute('app-show-plan', 'plan', () => null)] })`,
  'src/card.ts': `
    import { defineCard } from '@pult/sdk'
    export default defineCard({ read: async () => 3, Component: () => null })`,
  'src/navigation.ts': `
    import { defineNavigation } from '@pult/sdk'
    export default defineNavigation({ read: async () => ({ label: '' }) })`,
  'src/search.ts': `
    import { defineSearch } from '@pult/sdk'
    export default defineSearch(async () => [])`,
  'src/heat.ts': `
    import { definePageTab } from '@pult/sdk'
    export default definePageTab({ Component: () => null })`,
  'src/action.ts': `
    import { defineAction } from '@pult/sdk'
    export default defineAction(() => {})`,
}
let count = 0

async function check(
  given: { manifest?: object; files?: Record<string, string> },
  nodeOptions: readonly string[] = [],
) {
  const root = join(home, String((count += 1)))
  const files = {
    'manifest.json': JSON.stringify({ ...manifest, ...given.manifest }),
    'vite.config.mjs': `
      import { pultExtension } from ${JSON.stringify(join(import.meta.dirname, 'vite.ts'))}
      export default { plugins: [pultExtension()], logLevel: 'silent' }`,
    'package.json': '{ "type": "module" }',
    ...good,
    ...given.files,
  }
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
  // Runs in its own process, because the test runner resolves modules differently.
  const command = join(import.meta.dirname, 'command.ts')
  return promisify(execFile)(process.execPath, [...nodeOptions, command, 'check'], { cwd: root }).then(
    ({ stdout }) => stdout,
    (error: unknown) => String((error as { stderr?: unknown }).stderr),
  )
}

test('an extension with all kinds of parts passes the check', async () => {
  expect(await check({})).toContain('show 1.0.0 is ready to be packed')
})

test('an extension that imports the SDK as a whole and starts a timer passes the check', async () => {
  const files = {
    'src/app.ts': `
      import * as sdk from '@pult/sdk'
      setInterval(() => {}, 1000)
      export default sdk.defineApp({ routes: [{ name: 'app-show', path: 'plan', Component: () => null }] })`,
  }
  expect(await check({ files })).toContain('show 1.0.0 is ready to be packed')
})

test('a module that never finishes loading is reported after a time limit', async () => {
  const register: Extension['register'] = ({ registerApp }) =>
    registerApp({ id: 'show', loader: () => new Promise(() => {}) })
  const { apps } = extensionManifest.parse({ ...manifest, apps: [{ ...app, ...noParts }] })
  expect(await problemsOfEntry({ apps }, { register }, 1)).toEqual([
    'apps show: its module cannot be loaded: it has not loaded within 0.001 s. Does its top level wait?',
  ])
})

test.each<[string, Parameters<typeof check>[0], string]>([
  [
    'an unknown extension point',
    { manifest: { apps: [{ ...app, widgets: [] }] } },
    'Unknown extension point: widgets. This version has cards, navigation',
  ],
  [
    'two cards with one id',
    { manifest: { apps: [{ ...app, cards: [card, card] }] } },
    'apps[0].cards: Must not repeat an id',
  ],
  [
    'a card for root’s page in an app of projects',
    { manifest: { apps: [{ ...app, cards: [{ ...card, place: 'root' }] }] } },
    'apps show: the card crew has the place root, which needs an app with the product root',
  ],
  ['an id of a bundled extension', { manifest: { id: 'edges' } }, 'id: edges belongs to a bundled extension'],
  [
    'an app of the product',
    { manifest: { apps: [{ ...app, id: 'audit' }] } },
    'the id audit belongs to a bundled extension',
  ],
  ['another version of the SDK', { manifest: { sdk: '^2.0.0' } }, 'sdk: ^2.0.0 does not include 1.0.0'],
  ['an invalid range', { manifest: { sdk: 'newest' } }, 'sdk: newest does not include 1.0.0'],
  [
    'a card without a loader',
    { manifest: { apps: [{ ...app, cards: [card, { ...card, id: 'more' }] }] } },
    'apps show card more: registerApp received no loader for it',
  ],
  [
    'a card that the manifest lacks',
    { manifest: { apps: [{ ...app, cards: undefined }] } },
    'the manifest declares no crew among its cards',
  ],
  [
    'a card without a default export',
    { files: { 'src/card.ts': 'export default {}' } },
    'apps show card crew: its module has no default export',
  ],
  [
    'an action without a default export',
    { files: { 'src/action.ts': 'export default 1' } },
    'apps show action start: its module has no default export',
  ],
  [
    'a tab of a page without a default export',
    { files: { 'src/heat.ts': 'export default {}' } },
    'apps show page tab heat: its module has no default export',
  ],
  [
    'a tab without a route',
    { files: { 'src/app.ts': `export default { routes: [{ name: 'app-show', path: '' }], other: 'plan' }` } },
    'no route of the app has the path of the tab plan',
  ],
  [
    'a module that throws',
    { files: { 'src/search.ts': `throw new Error('No luck today')\nexport default () => []` } },
    'apps show search cues: its module cannot be loaded: No luck today',
  ],
])('%s fails the check', { concurrent: true }, async (_name, given, message) => {
  expect(await check(given)).toContain(message)
})

test('a version of Node that cannot load the modules fails the check, and the template requires a newer one', async () => {
  const old = ['--import', `data:text/javascript,import m from 'node:module';delete m.registerHooks`]
  const template = join(import.meta.dirname, '../../create-pult-extension/template/package.json')
  const { engines } = JSON.parse(await readFile(template, 'utf8')) as { engines: { node: string } }
  expect(await check({ files: { 'src/card.ts': 'export default {}' } }, old)).toContain(
    `cannot check an extension. Use ${engines.node.replace('>=', '')} or later.`,
  )
})

test('a type error fails the check', async () => {
  const tsconfig = JSON.stringify({
    compilerOptions: { strict: true, noEmit: true, types: [] },
    files: ['src/wrong.ts'],
  })
  const files = { 'tsconfig.json': tsconfig, 'src/wrong.ts': `export const count: number = 'three'` }
  expect(await check({ files })).toMatch(/The type check failed:\n.*wrong\.ts/)
})
