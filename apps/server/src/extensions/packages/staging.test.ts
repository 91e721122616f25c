import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { extensionFolder } from '@pult/testkit'
import { expect, test } from 'vitest'
import { BrokenExtension } from './extension-package.ts'
import { stagePackage } from './staging.ts'

test('RULE-73 RULE-76 a version too long for a folder name is refused, and the longest valid one is installed', async () => {
  const id = 'a'.repeat(50)
  const version = (length: number) => `1.0.0-${'b'.repeat(length - 6)}`
  const given = await extensionFolder({
    long: { manifest: { id, version: version(220) } },
    over: { manifest: { id, version: version(101) } },
    longest: { manifest: { id, version: version(100) } },
  })
  const installed = await extensionFolder({})
  for (const name of ['long', 'over']) {
    const staged = stagePackage({ installed, console: null }, { folder: join(given, name) })
    await expect(staged).rejects.toBeInstanceOf(BrokenExtension)
    await expect(staged).rejects.toThrow(/^version: Must have at most 100 characters$/)
  }
  const { place, discard } = await stagePackage(
    { installed, console: null },
    { folder: join(given, 'longest') },
  )
  await place(async () => {})
  await discard()
  expect(await readdir(installed)).toEqual([`${id}@${version(100)}`])
})

test('a card for root’s page is installed only in an app of the product root', async () => {
  const app = (productSku: string) => ({
    id: 'reports',
    uuid: '0193a3f0-5a2e-7c41-9d5b-2f1b7a6c0d11',
    label: 'Reports',
    icon: 'box',
    productSku,
    cards: [{ id: 'totals', label: 'Totals', place: 'root' }],
  })
  const given = await extensionFolder({
    shown: { manifest: { id: 'shown', apps: [app('root')] } },
    lost: { manifest: { id: 'lost', apps: [app('reporting')] } },
  })
  const folders = { installed: await extensionFolder({}), console: null }
  await (await stagePackage(folders, { folder: join(given, 'shown') })).discard()
  await expect(stagePackage(folders, { folder: join(given, 'lost') })).rejects.toThrow(
    'apps reports: the card totals has the place root, which needs an app with the product root',
  )
})
