import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { sharedModules } from '@pult/contract'
import type { Plugin } from 'vite'

/** The document's import map as the build knows it; the server adds the files of the installed extensions. */
export interface ImportMap {
  imports: Record<string, string>
  integrity: Record<string, string>
}

const prefix = 'virtual:shared/'
/**
 * Nobody loads it. It makes each shared module an entry without making what only extensions use a part of the console's
 * own start.
 */
const table = `${prefix}table`
const require = createRequire(import.meta.url)

/**
 * Builds each shared module as an entry of its own, beside the console and from the same chunks, and writes
 * `import-map.json`: where each of them is, and the digest of every script.
 */
export function shareModules(): Plugin {
  return {
    name: 'shared-modules',
    buildStart() {
      this.emitFile({ type: 'chunk', id: table, name: 'shared' })
    },
    resolveId: (id) => (id.startsWith(prefix) ? id : null),
    load: (id) => {
      if (id === table) return sharedModules.map((module) => `import('${prefix}${module}')`).join('\n')
      return id.startsWith(prefix) ? reexport(id.slice(prefix.length)) : null
    },
    transformIndexHtml: {
      order: 'pre',
      // While developing nothing has a digest: files change.
      handler: (html, { server }) =>
        server === undefined ? html : html.replace(marker, script(developmentMap())),
    },
    writeBundle: {
      order: 'post',
      handler: async ({ dir = '' }, bundle) => {
        const map: ImportMap = { imports: {}, integrity: {} }
        for (const chunk of Object.values(bundle)) {
          if (chunk.type !== 'chunk') continue
          const url = `/${chunk.fileName}`
          map.integrity[url] = integrityOf(await readFile(join(dir, chunk.fileName)))
          const module = chunk.facadeModuleId?.startsWith(prefix)
            ? chunk.facadeModuleId.slice(prefix.length)
            : undefined
          if (module !== undefined) map.imports[module] = url
        }
        await writeFile(join(dir, 'import-map.json'), JSON.stringify(map))
      },
    },
  }
}

/** Where the document gets its import map: before the first module, or browsers ignore it. */
const marker = '<!-- import map -->'
const script = (map: Pick<ImportMap, 'imports'>) => `<script type="importmap">${JSON.stringify(map)}</script>`

const developmentMap = () => ({
  imports: Object.fromEntries(sharedModules.map((module) => [module, `/@id/${prefix}${module}`])),
})

/** A digest as browsers check it. */
export const integrityOf = (bytes: Buffer) => `sha256-${createHash('sha256').update(bytes).digest('base64')}`

/** React is CommonJS, whose names no bundler hands on by itself. */
function reexport(module: string): string {
  if (!module.startsWith('react')) return `export * from ${JSON.stringify(module)}`
  const names = Object.keys(require(module) as object).filter((name) => /^[a-zA-Z]\w*$/.test(name))
  const quoted = JSON.stringify(module)
  return `export { ${names.join(', ')} } from ${quoted}\nexport { default } from ${quoted}`
}
