import module from 'node:module'
import { fileURLToPath } from 'node:url'

/*
 * Caches compiled code for the next start. The cache is in our own folder instead of the shared system folder,
 * because write access to it permits code execution. Plain JavaScript, because nothing is cached before this module
 * runs, and a type-stripping loader would hold 20 MB for the lifetime of the server. Old versions of Node lack the
 * function, and must still be able to load this module after the check of their version.
 */
module.enableCompileCache(fileURLToPath(new URL('../../../node_modules/.cache/compiled', import.meta.url)))
