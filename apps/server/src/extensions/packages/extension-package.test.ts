import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeExtension } from '@pult/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { readPackage, readSharedNames, type SharedNames } from './extension-package.ts'

async function newFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'pult-package-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function read(manifest: string | Buffer) {
  const folder = await newFolder()
  await writeFile(join(folder, 'manifest.json'), manifest)
  return readPackage(folder, undefined)
}

test('sensu/sensu#1232 a manifest with a byte-order mark, or in UTF-16, is read', async () => {
  const text = `\uFEFF${JSON.stringify({ id: 'reports', version: '1.0.0', label: 'Bühne' })}`
  for (const source of [text, Buffer.from(text, 'utf16le')])
    expect((await read(source))?.manifest).toMatchObject({ id: 'reports', label: 'Bühne' })
})

test('a manifest that is no JSON is refused with the place of the mistake', async () => {
  await expect(read('{\n  "id": "reports",\n}')).rejects.toThrow(
    'manifest.json is not JSON: line 2, column 18: no comma may stand before }',
  )
})

const sharedNames: SharedNames = { '@pult/sdk': ['useApi', 'default'], react: ['useState'] }

async function readModule(source: string, names: SharedNames | undefined) {
  const folder = await newFolder()
  await writeExtension(folder, {
    manifest: { id: 'reports' },
    files: { 'entry.js': `${source}\nexport default {}` },
  })
  return readPackage(folder, names)
}

test.each([
  [`import{useApi as a,useRemoved as b}from"@pult/sdk"`, 'useRemoved from @pult/sdk'],
  [`import {\n  useApi,\n  useRemoved,\n} from '@pult/sdk'`, 'useRemoved from @pult/sdk'],
  [`import sdk, { useRemoved } from '@pult/sdk'`, 'useRemoved from @pult/sdk'],
  [`export { useRemoved as useApi } from '@pult/sdk'`, 'useRemoved from @pult/sdk'],
  [`import React from 'react'`, 'default from react'],
  [`import{default as r,useState}from"react"`, 'default from react'],
])('RULE-73 %s is refused, because this console does not have the name', async (source, missing) => {
  await expect(readModule(source, sharedNames)).rejects.toThrow(
    `entry.js imports ${missing}, which this console does not have`,
  )
})

test.each([
  `import{useApi as a}from"@pult/sdk";import{useState}from"react"`,
  `import sdk from '@pult/sdk'`,
  `import * as sdk from '@pult/sdk'`,
  `import sdk, * as all from '@pult/sdk'`,
  `import 'react'`,
  `export * from 'react'`,
  `export { useState as useRemoved } from 'react'`,
  `export const load = () => import('@pult/sdk')`,
])('an extension with %s is read', async (source) => {
  expect((await readModule(source, sharedNames))?.manifest.id).toBe('reports')
})

test('a server without a console checks no names', async () => {
  const source = `import { useRemoved } from '@pult/sdk'`
  for (const folder of [null, await newFolder()])
    expect((await readModule(source, await readSharedNames(folder)))?.manifest.id).toBe('reports')
})
