import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sdkVersion } from '@pult/contract'
import { expect, test } from 'vitest'
import { root } from '../steps.ts'
import { describeSdk } from './describe.ts'
import { readPackageJson, sdkEntryPoints, sdkFolder } from './entry-points.ts'

test('the API report and the reference match the SDK’s exports; otherwise run npm run describe:sdk', async () => {
  const described = await describeSdk()
  expect(Object.keys(described)).toHaveLength(2)
  for (const [path, text] of Object.entries(described)) {
    expect(await readFile(join(root, path), 'utf8').catch(() => ''), path).toBe(text)
    for (const { specifier } of sdkEntryPoints().filter(({ isPublic }) => isPublic))
      expect(text).toContain(`\n## ${specifier}\n`)
  }
})

test('the docs name the icons available to an app', async () => {
  const source = await readFile(join(root, 'apps/console/src/extensions/app-icons.ts'), 'utf8')
  const icons = [...source.matchAll(/^  '?([\w-]+)'?: [A-Z]\w+,$/gm)].map(([, name]) => name)
  const docs = await readFile(join(root, 'docs/extensions/README.md'), 'utf8')
  const named = [...(docs.split('\n## Icons\n')[1] ?? '').matchAll(/`([a-z0-9-]+)`/g)].map(([, name]) => name)
  expect(named.slice(1)).toEqual(icons)
})

test('the package has the version that the console reports', () => {
  expect(readPackageJson(sdkFolder).version).toBe(sdkVersion)
})
