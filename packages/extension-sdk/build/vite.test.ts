import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { build, createLogger } from 'vite'
import { afterAll, expect, test } from 'vitest'
import { pultExtension } from './vite.ts'

const home = await mkdtemp(join(tmpdir(), 'pult-build-'))
afterAll(() => rm(home, { recursive: true, force: true }))

const app = {
  id: 'show',
  uuid: '0193a3f0-5a2e-7c41-9d5b-2f1b7a6c0d11',
  label: 'Show',
  icon: 'box',
  productSku: 'project',
}
const manifest = { id: 'show', version: '1.0.0', label: 'Show', sdk: '^1.0.0', apps: [app] }
const entry = "export default { register: () => import('./app.ts') }"
const loading =
  "export default { register: (ctx) => ctx.registerApp({ id: 'show', loader: () => import('./app.ts') }) }"
let count = 0

/** Builds an extension like its author. Returns the folder of the build and the logged output. */
async function built(given: { manifest?: object; files?: Record<string, string>; external?: string[] } = {}) {
  const root = join(home, String((count += 1)))
  const files = {
    'manifest.json': JSON.stringify({ ...manifest, ...given.manifest }),
    'src/extension.ts': entry,
    'src/app.ts': 'export default { routes: [] }',
    ...given.files,
  }
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
  const lines: string[] = []
  const log = (line: string) => void lines.push(line)
  const customLogger = { ...createLogger(), info: log, warn: log, warnOnce: log, error: log }
  await build({
    root,
    configFile: false,
    customLogger,
    logLevel: 'warn',
    plugins: [pultExtension()],
    build: { rolldownOptions: { external: given.external ?? [] } },
  })
  return { dist: join(root, 'dist'), output: lines.join('\n') }
}

test('the built manifest lists every file, and the build prints its transfer size', async () => {
  const files = { 'src/app.ts': "import './a.css'\nexport default 1", 'src/a.css': '.show__a { color: red }' }
  const { dist, output } = await built({ files })
  const written = JSON.parse(await readFile(join(dist, 'manifest.json'), 'utf8'))
  const there = await readdir(dist, { recursive: true, withFileTypes: true })
  const paths = there
    .filter((each) => each.isFile() && each.name !== 'manifest.json')
    .map((each) => relative(dist, join(each.parentPath, each.name)))
  expect(Object.keys(written.files)).toEqual(paths.toSorted())
  expect(paths).toEqual(expect.arrayContaining([written.entry, ...written.styles]))
  expect(output).toMatch(/show 1\.0\.0: 3 files, 0\.\d kB, 0\.\d kB compressed/)
})

test.each([
  [{ apps: [{ ...app, icon: undefined }] }, 'apps[0].icon: Invalid input: expected string'],
  [{ apps: [{ ...app, tabs: [{ id: 'a', lable: 'A' }] }] }, 'Unrecognized key: "lable"'],
  [{ sdk: undefined }, 'sdk: state the SDK versions'],
  [{ files: {} }, 'files: the build writes it, so omit it'],
  [{ apps: [app, app] }, 'apps: the id show is taken'],
  [{ products: [{ sku: 'root', label: 'R', roles: [] }] }, 'products: the sku root is taken'],
])('APP-02 a manifest that the server would reject fails the build: %j', async (wrong, message) => {
  await expect(built({ manifest: wrong })).rejects.toThrow(message)
})

test.each([
  ["import { Link } from 'react-router'\nexport default Link", 'react-router'],
  ["import { createRoot } from 'react-dom/client'\nexport default createRoot", 'react-dom/client'],
  ["import { useAppHost } from '@pult/sdk/host'\nexport default useAppHost", '@pult/sdk/host'],
  ["export default () => import('@pult/ui')", '@pult/ui'],
])(
  'an import of a module that the console has but does not share fails the build: %s',
  async (source, name) => {
    await expect(built({ files: { 'src/app.ts': source } })).rejects.toThrow(
      new RegExp(`${name} \\(in .*src/app\\.ts\\)`),
    )
  },
)

test('an external module that is not shared fails the build', async () => {
  const files = { 'src/app.ts': "import fs from 'somewhere'\nexport default fs" }
  await expect(built({ files, external: ['somewhere'] })).rejects.toThrow('the console does not share it')
  const shared = { 'src/app.ts': "import { createElement } from 'react'\nexport default createElement" }
  await expect(built({ files: shared })).resolves.toBeTruthy()
})

test.each([
  ['src/extension.ts', 'export const extension = {}', 'src/extension.ts has no default export'],
  ['src/app.ts', 'export const app = { routes: [] }', 'src/app.ts has no default export'],
])('the build fails when %s has no default export', async (path, source, message) => {
  const files = { 'src/extension.ts': loading, [path]: source }
  await expect(built({ files })).rejects.toThrow(message)
})

test('the build warns about a tab without a route', async () => {
  const tabs = ['plan', 'cast'].map((id) => ({ id, label: id }))
  const files = {
    'src/extension.ts': loading,
    'src/app.ts': "export default { routes: [{ path: 'plan/*' }] }",
  }
  const { output } = await built({ manifest: { apps: [{ ...app, tabs }] }, files })
  expect(output).toMatch('apps show: no route of the app has the path of the tab cast')
  expect(output).not.toMatch('the tab plan')
})

test('two extensions with the same style share no class, and an unscoped selector causes a warning', async () => {
  const files = {
    'src/app.ts': "import styles from './a.module.css'\nexport default styles.row",
    'src/a.module.css': '.row { color: red }\n:global(body) { margin: 0 }',
  }
  const classes: string[] = []
  for (const id of ['show', 'hall']) {
    const { dist, output } = await built({ manifest: { id }, files })
    expect(output).toMatch(/"body" reaches beyond this extension/)
    expect(output.match(/reaches beyond/g)).toHaveLength(1)
    const style = (await readdir(join(dist, 'assets'))).find((name) => name.endsWith('.css')) ?? ''
    classes.push(/\.([\w-]+)\s*\{/.exec(await readFile(join(dist, 'assets', style), 'utf8'))?.[1] ?? '')
  }
  expect(classes).toEqual([expect.stringMatching(/^show__row_/), expect.stringMatching(/^hall__row_/)])
})
