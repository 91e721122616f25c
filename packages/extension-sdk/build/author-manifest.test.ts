import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readAuthorManifest } from './author-manifest.ts'

async function read(manifest: string) {
  const folder = await mkdtemp(join(tmpdir(), 'pult-manifest-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'manifest.json'), manifest)
  return readAuthorManifest(folder)
}

test('sensu/sensu#1232 a manifest with a byte-order mark is read', async () => {
  const manifest = { id: 'show', version: '1.0.0', label: 'Bühne' }
  expect(await read(`\uFEFF${JSON.stringify(manifest)}`)).toMatchObject(manifest)
})

test('a manifest with a comment is refused with its place', async () => {
  await expect(read('{\n  // the show\n  "id": "show"\n}')).rejects.toThrow(
    'manifest.json is not JSON: line 2, column 3: JSON has no comments',
  )
})
