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
    const staged = stagePackage(installed, { folder: join(given, name) })
    await expect(staged).rejects.toBeInstanceOf(BrokenExtension)
    await expect(staged).rejects.toThrow(/^version: Must have at most 100 characters$/)
  }
  const { place, discard } = await stagePackage(installed, { folder: join(given, 'longest') })
  await place(async () => {})
  await discard()
  expect(await readdir(installed)).toEqual([`${id}@${version(100)}`])
})
