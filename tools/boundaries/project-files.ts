import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { writtenFiles } from '../written-files.ts'
import type { ProjectFile } from './boundaries.ts'
import { sourceFile } from './imports.ts'
import { type Manifest, readManifest } from './manifests.ts'

export function readProjectFiles(root: string): ProjectFile[] {
  const paths = writtenFiles(root, ['{apps,packages,extensions,e2e,bench,tools}/**/*', '*.{ts,mts,js,mjs}'])
  return paths.map((path) => ({
    path,
    text: sourceFile.test(path) ? readFileSync(join(root, path), 'utf8') : '',
  }))
}

export function readManifests(root: string): Manifest[] {
  return writtenFiles(root, '{apps,packages,extensions}/*/package.json').map((file) =>
    readManifest(dirname(file), readFileSync(join(root, file), 'utf8')),
  )
}
