import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

/*
 * Caches compiled code for the next start. The cache is in our own folder instead of the shared system folder,
 * because write access to it permits code execution. Plain JavaScript, because nothing is cached before this module
 * runs, and a type-stripping loader would hold 20 MB for the lifetime of the server.
 */
enableCompileCache(fileURLToPath(new URL('../../../node_modules/.cache/compiled', import.meta.url)))
