import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readPackage } from './extension-package.ts'

async function read(manifest: string | Buffer) {
  const folder = await mkdtemp(join(tmpdir(), 'pult-package-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'manifest.json'), manifest)
  return readPackage(folder)
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
