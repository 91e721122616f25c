import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

/*
 * The next start reads compiled code instead of compiling it. In a folder of our own: whoever can write there decides
 * what runs, so the system's shared one won't do.
 */
enableCompileCache(fileURLToPath(new URL('../../../node_modules/.cache/compiled', import.meta.url)))
