import { createHash } from 'node:crypto'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/*
 * Builds the extensions that come with the product, as an author builds theirs: one folder below extensions/ each, with
 * a manifest and an entry, into a folder of dist/extensions each.
 */

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const extensionsFolder = join(root, 'extensions')
const output = join(root, 'dist/extensions')

/** Whether every extension was built from its sources as they are. */
export async function areExtensionsBuilt(): Promise<boolean> {
  const stale = await staleExtensions()
  return stale.length === 0
}

/** Builds those whose sources differ from those of their last build. */
export async function buildExtensions(): Promise<void> {
  const stale = await staleExtensions()
  if (stale.length === 0) return
  console.log(`Building the extensions ${stale.map(({ name }) => name).join(', ')} …`)
  const [{ build }, { default: react }, { pultExtension }] = await Promise.all([
    import('vite'),
    import('@vitejs/plugin-react'),
    import('../packages/extension-sdk/build/vite.ts'),
  ])
  for (const { name, folder, fingerprint } of stale) {
    await build({
      root: folder,
      configFile: false,
      logLevel: 'warn',
      plugins: [react(), pultExtension()],
      build: { outDir: join(output, name), emptyOutDir: true },
    })
    await writeFile(join(output, name, '.sources'), fingerprint)
  }
}

async function staleExtensions() {
  const extensions = []
  for (const name of await readdir(extensionsFolder)) {
    const folder = join(extensionsFolder, name)
    const isExtension = await stat(join(folder, 'manifest.json')).catch(() => undefined)
    if (isExtension === undefined) continue
    const fingerprint = await fingerprintOf(folder)
    const built = await readFile(join(output, name, '.sources'), 'utf8').catch(() => '')
    if (built !== fingerprint) extensions.push({ name, folder, fingerprint })
  }
  return extensions
}

/** What makes an extension of its sources, and says which modules are shared: those are not a part of it. */
const builder = ['packages/extension-sdk/build', 'packages/contract/src/extensions']

/** Contents say whether something changed; tests are not part of it. */
async function fingerprintOf(folder: string): Promise<string> {
  const hash = createHash('sha256')
  const folders = [...builder.map((path) => join(root, path)), folder]
  const entries = await Promise.all(
    folders.map((each) => readdir(each, { recursive: true, withFileTypes: true })),
  )
  const paths = entries
    .flat()
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .filter((entry) => !/[\\/](?:dist|node_modules)(?:[\\/]|$)/.test(entry.parentPath))
    .map((entry) => join(entry.parentPath, entry.name))
  for (const path of paths.toSorted())
    hash.update(`${path.slice(root.length)}\n`).update(await readFile(path))
  return hash.digest('hex')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await buildExtensions()
  } catch (error) {
    console.error(
      `The extensions could not be built: ${error instanceof Error ? error.message : String(error)}`,
    )
    process.exit(1)
  }
}
