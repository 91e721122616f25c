import { createHash } from 'node:crypto'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/*
 * Builds the bundled extensions as an author builds theirs. Each folder below extensions/ has a manifest and an
 * entry, and gets a folder in dist/extensions.
 */

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const extensionsFolder = join(root, 'extensions')
const output = join(root, 'dist/extensions')

/** Returns whether every extension was built from its current sources. */
export async function areExtensionsBuilt(): Promise<boolean> {
  const stale = await staleExtensions()
  return stale.length === 0
}

/** Builds the extensions whose sources differ from those of their last build. */
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

/** Inputs of the build outside an extension: the build itself and the list of shared modules. */
const builder = ['packages/extension-sdk/build', 'packages/contract/src/extensions']

/** Compares file contents. Tests are ignored. */
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
