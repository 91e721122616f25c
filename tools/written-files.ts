import { globSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

const madeByTools = new Set(['node_modules', 'dist', 'test-results'])

/** Source files as paths from the given folder with forward slashes, without generated files. */
export function writtenFiles(folder: string, patterns: string | string[]): string[] {
  return globSync(patterns, {
    cwd: folder,
    withFileTypes: true,
    // Only in the root: a folder of the sources may have this name.
    exclude: ({ name, parentPath }) => madeByTools.has(name) || (name === 'data' && parentPath === folder),
  })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
}
