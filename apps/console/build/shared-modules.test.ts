import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sharedModules } from '@pult/contract'
import * as sdk from '@pult/sdk'
import { expect, test } from 'vitest'

const map = JSON.parse(await readFile(join(import.meta.dirname, '../dist/import-map.json'), 'utf8')) as {
  imports: Record<string, string>
  integrity: Record<string, string>
  exports: Record<string, string[]>
}

test('the import map of the build lists the names that each shared module exports', () => {
  expect(Object.keys(map.exports).toSorted()).toEqual([...sharedModules].toSorted())
  expect(Object.keys(map.imports).toSorted()).toEqual([...sharedModules].toSorted())
  expect(map.exports['@pult/sdk']?.toSorted()).toEqual(Object.keys(sdk).toSorted())
  expect(map.exports['react']).toEqual(expect.arrayContaining(['createElement', 'useState']))
})

test('the name of a shared chunk does not list its importers', () => {
  expect(Object.keys(map.integrity).filter((url) => url.includes('~'))).toEqual([])
})
