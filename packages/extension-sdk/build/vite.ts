import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sharedModules } from '@pult/contract'
import type { Plugin } from 'vite'
import { developExtension } from './dev/develop-extension.ts'

export interface PultExtensionOptions {
  /** The module whose default export is made by `defineExtension`. @default 'src/extension.ts' */
  entry?: string
}

/**
 * Builds an extension with Vite: ES modules that share React and the SDK with the console, and a `manifest.json` beside
 * them that lists every file with its digest.
 *
 * The development server shows a running console with the extension in it, from its sources: the one that `PULT_CONSOLE`
 * names, else http://localhost:8080.
 *
 * @example export default defineConfig({ plugins: [react(), pultExtension()] })
 */
export function pultExtension({ entry = 'src/extension.ts' }: PultExtensionOptions = {}): Plugin[] {
  return [buildExtension(entry), developExtension(entry)]
}

function buildExtension(entry: string): Plugin {
  let root = ''
  return {
    name: 'pult-extension',
    apply: 'build',
    enforce: 'pre',
    // The console loads styles, and there is nothing to preload: what Vite would bring for both stays out.
    load: (id) => (id.startsWith(preloadHelper) ? 'export const __vitePreload = (load) => load()' : null),
    // The console runs every entry when it starts: what only types it is no reason to load the SDK then.
    transform: {
      filter: { code: defineOnly },
      handler: (code) => code.replace(defineOnly, 'const defineExtension = (extension) => extension'),
    },
    config: () => ({
      // Wherever the console serves it from, its files find each other.
      base: './',
      publicDir: false,
      build: {
        target: 'es2022',
        cssCodeSplit: false,
        modulePreload: false,
        assetsInlineLimit: 0,
        rolldownOptions: {
          input: { entry },
          external: [...sharedModules],
          preserveEntrySignatures: 'strict',
          output: { entryFileNames: 'entry-[hash].js', chunkFileNames: '[name]-[hash].js' },
        },
      },
    }),
    configResolved: (config) => {
      root = config.root
    },
    writeBundle: {
      order: 'post',
      handler: async ({ dir = '' }, bundle) => {
        const source = JSON.parse(await readFile(join(root, 'manifest.json'), 'utf8')) as object
        const files: Record<string, string> = {}
        for (const name of Object.keys(bundle).toSorted())
          files[name] = integrityOf(await readFile(join(dir, name)))
        const entryFile = Object.values(bundle).find(
          (file) => file.type === 'chunk' && file.isEntry,
        )?.fileName
        const styles = Object.keys(files).filter((name) => name.endsWith('.css'))
        const manifest = { ...source, entry: entryFile, ...(styles.length > 0 && { styles }), files }
        await writeFile(join(dir, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`)
      },
    },
  }
}

const defineOnly = /import\s*\{\s*defineExtension\s*\}\s*from\s*(['"])@pult\/sdk\1/

const preloadHelper = '\0vite/preload-helper'

const integrityOf = (bytes: Buffer) => `sha256-${createHash('sha256').update(bytes).digest('base64')}`
