import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expectPage, openConsole, testServer } from '@pult/testkit'
import { afterAll, expect, test } from 'vitest'
import { blocksOf, follow, plainEnvironment, run } from './document.ts'

/* Builds the dashboard of docs/extensions/temperatures.md, and follows the last step of that page in the console. */

const root = join(import.meta.dirname, '../..')
const home = await mkdtemp(join(tmpdir(), 'pult-temperatures-'))
afterAll(() => rm(home, { recursive: true, force: true }))

/** Returns a folder with the bundled extensions and the dashboard. */
async function builtExtensions(): Promise<string> {
  const source = join(home, 'source')
  await cp(join(root, 'packages/create-pult-extension/template/tsconfig.json'), join(source, 'tsconfig.json'))
  await symlink(join(root, 'node_modules'), join(source, 'node_modules'))
  await writeFile(join(source, 'package.json'), '{ "type": "module" }')
  const sdk = join(root, 'packages/extension-sdk/build')
  const config = `import { pultExtension } from ${JSON.stringify(join(sdk, 'vite.ts'))}
    export default { plugins: [pultExtension()], logLevel: 'silent' }`
  await writeFile(join(source, 'vite.config.mjs'), config)
  await follow(await blocksOf(join(root, 'docs/extensions/temperatures.md')), source, {})
  // With the test runner's NODE_ENV, Vite would compile JSX for the development build of React.
  const environment = { ...plainEnvironment(), NODE_ENV: 'production' }
  await run(process.execPath, [join(sdk, 'command.ts'), 'check'], source, environment)
  const folder = join(home, 'extensions')
  await cp(join(root, 'dist/extensions'), folder, { recursive: true })
  await cp(join(source, 'dist'), join(folder, 'temperatures'), { recursive: true })
  return folder
}

test('the last step of the tutorial works: the palette and the page of an edge measure its temperature', async () => {
  const server = await testServer({ withConsole: true, extensionsFolder: await builtExtensions() })
  const owner = await server.given.person()
  const { projectId } = await server.given.project(owner, { products: ['project', 'edges', 'temperatures'] })
  const edgeId = await server.given.edge(projectId, { label: 'Crane 7' })
  const opened = await openConsole(server, { as: owner, path: '/' })
  const { page } = opened
  const measured = page.getByText(/^Crane 7: \d\d °C$/)
  await expectPage(page.getByText('No edge has been measured yet')).toBeVisible()

  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox').fill('crane')
  await page.getByRole('option').filter({ hasText: 'Crane 7' }).first().hover()
  await page.keyboard.press('ArrowRight')
  const actions = page.getByRole('group', { name: 'Actions of Crane 7' })
  await actions.getByRole('option', { name: 'Measure the temperature' }).click()
  await expectPage(measured).toBeVisible()

  await page.goto(`/app/edges/edit/${edgeId}`)
  await page.getByRole('button', { name: 'Actions of apps for Crane 7' }).click()
  await page.getByRole('menuitem', { name: 'Measure the temperature' }).click()
  await expectPage(measured).toBeVisible()
  await page.getByRole('tab', { name: 'Temperature', exact: true }).click()
  await expectPage(page.getByRole('slider', { name: 'Temperature of Crane 7' })).toBeVisible()
  expect(opened.complaints).toEqual([])
})
