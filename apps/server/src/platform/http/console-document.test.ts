import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createConsoleDocuments } from './console-document.ts'

const folder = await mkdtemp(join(tmpdir(), 'pult-document-'))
afterAll(() => rm(folder, { recursive: true }))
await copyFile(join(import.meta.dirname, '../../../../console/index.html'), join(folder, 'index.html'))
await writeFile(join(folder, 'import-map.json'), '{"imports":{},"integrity":{}}')

test.each([
  ['de', 'Administration console for edge and device platforms.'],
  ['en', 'Administration console for edge and device platforms.'],
  ['de-DE', 'Verwaltungskonsole für Plattformen aus Edges und Geräten.'],
] as const)(
  'DEC-28 the description of the document is in the language of the installation, %s',
  async (language, text) => {
    const documentWith = await createConsoleDocuments(folder, 'http://localhost:8080')
    const { bodies } = await documentWith({}, language)
    expect(bodies.identity.toString()).toContain(`<meta name="description" content="${text}" />`)
  },
)
