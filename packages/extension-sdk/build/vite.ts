import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { type ExtensionManifest, parseJsonText, sharedModules } from '@pult/contract'
import type { Plugin } from 'vite'
import { readAuthorManifest } from './author-manifest.ts'
import { developExtension } from './dev/develop-extension.ts'
import { modulesWithoutDefault, tabsWithoutRoute } from './missing-exports.ts'
import { scopeOf, unscopedSelectors } from './unscoped-styles.ts'

export interface PultExtensionOptions {
  /** The module whose default export is the result of `defineExtension`. @default 'src/extension.ts' */
  entry?: string
}

/**
 * Builds an extension with Vite: ES modules that share React and the SDK with the console, and a `manifest.json` beside
 * them that lists every file with its digest.
 *
 * The build fails and names the field or module if a server would reject the manifest, if the console could not
 * resolve an import, or if the entry or an app module has no default export. It warns about styles that reach beyond
 * the extension and about tabs without a route.
 *
 * The development server shows a running console and adds the extension from its sources. `PULT_CONSOLE` contains the
 * console's address. @default http://localhost:8080
 *
 * @example export default defineConfig({ plugins: [react(), pultExtension()] })
 */
export function pultExtension({ entry = 'src/extension.ts' }: PultExtensionOptions = {}): Plugin[] {
  return [buildExtension(entry), developExtension(entry)]
}

function buildExtension(entry: string): Plugin {
  let manifest: ExtensionManifest
  let root = ''
  let log = (_line: string) => {}
  return {
    name: 'pult-extension',
    apply: 'build',
    enforce: 'pre',
    // The console loads the styles, and nothing needs preloading, so Vite's code for both is omitted.
    load: (id) => (id.startsWith(preloadHelper) ? 'export const __vitePreload = (load) => load()' : null),
    // The console runs every entry at startup. An entry that uses the SDK only for types must not load it.
    transform: {
      filter: { code: defineOnly },
      handler: (code) => code.replace(defineOnly, 'const defineExtension = (extension) => extension'),
    },
    config: async (config) => {
      root = config.root ?? process.cwd()
      manifest = await readAuthorManifest(root)
      return {
        // Relative paths work at every address from which a server delivers the extension.
        base: './',
        publicDir: false,
        css: { modules: { generateScopedName: `${scopeOf(manifest.id)}[local]_[hash:base64:6]` } },
        build: {
          target: 'es2022',
          // For older targets, Vite would compile light-dark() away, and with it the console's colours.
          cssTarget: ['chrome123', 'firefox121', 'safari17.5'],
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
      }
    },
    configResolved: ({ logger }) => {
      log = (line) => logger.info(line)
    },
    resolveId(name, importer) {
      const reason = refusal(name)
      if (reason !== undefined) this.error(`${name} (in ${importer ?? entry}): ${reason}`)
    },
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
        const entryId = chunks.find(({ isEntry }) => isEntry)?.facadeModuleId ?? ''
        for (const problem of modulesWithoutDefault(this, entryId)) this.error(problem)
        for (const problem of tabsWithoutRoute(manifest, chunks.map(({ code }) => code).join('\n')))
          this.warn(problem)
        for (const file of Object.values(bundle)) {
          const imported = file.type === 'chunk' ? [...file.imports, ...file.dynamicImports] : []
          const foreign = imported.find((name) => !(name in bundle) && !isShared(name))
          if (foreign !== undefined)
            this.error(`${foreign} (in ${file.fileName}): the console does not share it. Bundle it`)
          if (file.type === 'asset' && file.fileName.endsWith('.css'))
            for (const selector of unscopedSelectors(textOf(file.source), scopeOf(manifest.id)))
              this.warn(
                `${file.fileName}: "${selector}" reaches beyond this extension. Write it in a *.module.css, below a class`,
              )
        }
      },
    },
    writeBundle: {
      order: 'post',
      handler: async ({ dir = '' }, bundle) => {
        const source = parseJsonText(await readFile(join(root, 'manifest.json'))) as object
        const names = Object.keys(bundle).filter((name) => !name.endsWith('.map'))
        const contents = new Map<string, Buffer>()
        for (const name of names.toSorted()) contents.set(name, await readFile(join(dir, name)))
        const files = Object.fromEntries([...contents].map(([name, bytes]) => [name, integrityOf(bytes)]))
        const entryFile = Object.values(bundle).find(
          (file) => file.type === 'chunk' && file.isEntry,
        )?.fileName
        const styles = Object.keys(files).filter((name) => name.endsWith('.css'))
        const written = { ...source, entry: entryFile, ...(styles.length > 0 && { styles }), files }
        await writeFile(join(dir, 'manifest.json'), `${JSON.stringify(written, null, 2)}\n`)
        const sizes = [...contents.values()].map((bytes) => [bytes.length, brotliCompressSync(bytes).length])
        const [whole, sent] = [0, 1].map((at) => sizes.reduce((sum, size) => sum + (size[at] ?? 0), 0))
        log(`${manifest.id} ${manifest.version}: ${sizes.length} files, ${kB(whole)}, ${kB(sent)} compressed`)
      },
    },
  }
}

const defineOnly = /import\s*\{\s*defineExtension\s*\}\s*from\s*(['"])@pult\/sdk\1/

const preloadHelper = '\0vite/preload-helper'

const kB = (bytes = 0) => `${(bytes / 1000).toFixed(1)} kB`

const isShared = (name: string) => (sharedModules as readonly string[]).includes(name)

const textOf = (source: string | Uint8Array) => Buffer.from(source).toString()

const integrityOf = (bytes: Buffer) => `sha256-${createHash('sha256').update(bytes).digest('base64')}`

/** Packages that must not be bundled, because a second copy would not share its state with the console's copy. */
const ofConsole = ['react', 'react-dom', 'react-router', 'react-router-dom', '@tanstack/react-query', '@pult']

/** Returns the reason why an extension may not import a module, or undefined. */
function refusal(name: string): string | undefined {
  const isOfConsole = ofConsole.some((owner) => name === owner || name.startsWith(`${owner}/`))
  if (!isOfConsole || isShared(name)) return undefined
  if (name === 'react/jsx-dev-runtime') return 'build with NODE_ENV=production'
  if (name.startsWith('react-router')) return 'use the routing of @pult/sdk'
  return `the console does not share it. It shares ${sharedModules.join(', ')}`
}
