import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { sharedModules } from '@pult/contract'
import type { Plugin, Rolldown } from 'vite'

/** The import map of the build. The server adds the files of installed extensions. */
interface ImportMap {
  imports: Record<string, string>
  integrity: Record<string, string>
  /** The names that each shared module exports. The server refuses extensions that import others. */
  exports: Record<string, string[]>
}

const prefix = 'virtual:shared/'
/**
 * A virtual entry that is never loaded. It makes each shared module an entry without adding modules that only
 * extensions use to the console's own start.
 */
const table = `${prefix}table`
const require = createRequire(import.meta.url)

/**
 * Builds each shared module as a separate entry from the same chunks as the console. Writes `import-map.json` with
 * the path of each shared module and the digest of every script.
 */
export function shareModules(): Plugin {
  return {
    name: 'shared-modules',
    buildStart() {
      this.emitFile({ type: 'chunk', id: table, name: 'shared' })
    },
    resolveId: (id) => (id.startsWith(prefix) ? id : null),
    load: (id) => {
      if (id === table) return sharedTable()
      return id.startsWith(prefix) ? reexport(id.slice(prefix.length)) : null
    },
    transformIndexHtml: {
      order: 'pre',
      // Development files have no digests, because they change.
      handler: (html, { server }) =>
        server === undefined ? html : html.replace(marker, script(developmentMap())),
    },
    generateBundle: {
      order: 'post',
      handler: (_options, bundle) => {
        for (const chunk of Object.values(bundle)) {
          if (chunk.type !== 'chunk' || !chunk.facadeModuleId?.startsWith(prefix)) continue
          const styles = stylesOf(chunk, bundle)
          if (styles.length > 0) chunk.code += loadStyles(styles)
        }
      },
    },
    writeBundle: {
      order: 'post',
      handler: async ({ dir = '' }, bundle) => {
        const map: ImportMap = { imports: {}, integrity: {}, exports: {} }
        for (const chunk of Object.values(bundle)) {
          if (chunk.type !== 'chunk') continue
          const url = `/${chunk.fileName}`
          map.integrity[url] = integrityOf(await readFile(join(dir, chunk.fileName)))
          const module = chunk.facadeModuleId?.startsWith(prefix)
            ? chunk.facadeModuleId.slice(prefix.length)
            : undefined
          if (module === undefined) continue
          map.imports[module] = url
          map.exports[module] = chunk.exports
        }
        const missing = sharedModules.filter((module) => map.imports[module] === undefined)
        if (missing.length > 0) throw new Error(`The build does not share ${missing.join(', ')}`)
        await writeFile(join(dir, 'import-map.json'), JSON.stringify(map))
        await writeDigests(join(dir, 'index.html'), map)
      },
    },
  }
}

/**
 * Adds digests to the document's script and preload elements. Browsers fetch these before they have parsed the import
 * map, and a policy that requires a digest for every script rejects them without one.
 */
async function writeDigests(path: string, { integrity }: ImportMap): Promise<void> {
  const html = await readFile(path, 'utf8')
  const withDigests = html.replace(
    /(<(?:script|link rel="modulepreload")[^>]* (?:src|href)="([^"]+)")>/g,
    (tag, start: string, url: string) =>
      integrity[url] === undefined ? tag : `${start} integrity="${integrity[url]}">`,
  )
  await writeFile(path, withDigests)
}

/** The import map's place in the document: before the first module, because browsers ignore a later one. */
const marker = '<!-- import map -->'
const script = (map: Pick<ImportMap, 'imports'>) => `<script type="importmap">${JSON.stringify(map)}</script>`

const developmentMap = () => ({
  imports: Object.fromEntries(sharedModules.map((module) => [module, `/@id/${prefix}${module}`])),
})

const sharedTable = () =>
  `export default [${sharedModules.map((module) => `() => import('${prefix}${module}')`).join(',')}]`

/** A chunk and its transitive imports. */
export function chunksOf(
  chunk: Rolldown.OutputChunk,
  bundle: Rolldown.OutputBundle,
): Set<Rolldown.OutputChunk> {
  const reached = new Set([chunk])
  for (const { imports } of reached)
    for (const name of imports) {
      const imported = bundle[name]
      if (imported?.type === 'chunk') reached.add(imported)
    }
  return reached
}

/** The style sheets of a chunk and its transitive imports. */
export function stylesOf(chunk: Rolldown.OutputChunk, bundle: Rolldown.OutputBundle): string[] {
  return [
    ...new Set(
      [...chunksOf(chunk, bundle)].flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]),
    ),
  ]
}

/**
 * The console's imports load their styles through the bundler. Extensions use the browser's native imports, so the
 * module loads its styles before it finishes evaluating.
 */
const loadStyles = (styles: readonly string[]) => `
await Promise.all(${JSON.stringify(styles.map((name) => `/${name}`))}.map((href) =>
  document.querySelector(\`link[rel="stylesheet"][href="\${href}"]\`) ?? new Promise((done) => {
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href })
    link.onload = link.onerror = done
    document.head.append(link)
  })))`

/** A digest in the format of Subresource Integrity. */
export const integrityOf = (bytes: Buffer) => `sha256-${createHash('sha256').update(bytes).digest('base64')}`

/** React is CommonJS, and bundlers do not re-export its names automatically. */
function reexport(module: string): string {
  if (!module.startsWith('react')) return `export * from ${JSON.stringify(module)}`
  const names = Object.keys(require(module) as object).filter((name) => /^[a-zA-Z]\w*$/.test(name))
  const quoted = JSON.stringify(module)
  return `export { ${names.join(', ')} } from ${quoted}\nexport { default } from ${quoted}`
}
