import { readFile, rm } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { build as bundle } from 'rolldown'
import { build, type Plugin } from 'vite'
import { scanImports } from '../boundaries/imports.ts'
import { sdkEntryPoints, sdkFolder, workspaces } from './entry-points.ts'

/** The style sheet of all SDK components, for pages outside the console. */
const styleSheet = 'styles.css'

/**
 * Writes the JavaScript of the SDK's entry points into `lib/` of a folder, with their styles. The packages of this
 * project are bundled and shared between the entry points. Installed packages are imported by name.
 */
export async function buildEntryPoints(
  folder: string,
  programs: Readonly<Record<string, string>>,
): Promise<void> {
  await buildForBrowser(folder)
  await buildForNode(folder, programs)
}

async function buildForBrowser(folder: string): Promise<void> {
  const entryPoints = sdkEntryPoints().filter(({ isForNode }) => !isForNode)
  const entries = entryPoints.map(({ name, source }) => [name, join(sdkFolder, source)])
  await build({
    configFile: false,
    root: sdkFolder,
    base: './',
    publicDir: false,
    logLevel: 'warn',
    plugins: [allStyles()],
    build: {
      outDir: folder,
      emptyOutDir: false,
      target: 'es2022',
      // Older browsers have no light-dark(), so they would lose the colours.
      cssTarget: ['chrome123', 'firefox121', 'safari17.5'],
      cssCodeSplit: false,
      modulePreload: false,
      assetsInlineLimit: 0,
      minify: false,
      cssMinify: false,
      rolldownOptions: {
        // The order of the style sheet: the layer declarations come first.
        input: Object.fromEntries([[stylesEntry, stylesEntry], ...entries]) as Record<string, string>,
        external: isInstalled,
        preserveEntrySignatures: 'strict',
        output: {
          entryFileNames: 'lib/[name].js',
          chunkFileNames: 'lib/[name]-[hash].js',
          assetFileNames: ({ names }) =>
            names.some((name) => name.endsWith('.css')) ? styleSheet : 'fonts/[name][extname]',
        },
      },
    },
  })
  await rm(join(folder, `lib/${stylesEntry}.js`))
}

async function buildForNode(folder: string, programs: Readonly<Record<string, string>>): Promise<void> {
  const entryPoints = sdkEntryPoints().filter(({ isForNode }) => isForNode)
  const modules = {
    ...Object.fromEntries(entryPoints.map(({ name, source }) => [name, source])),
    ...programs,
  }
  await bundle({
    // The order of the style sheet: the layer declarations come first.
    input: Object.fromEntries(
      Object.entries(modules).map(([name, source]) => [name, join(sdkFolder, source)]),
    ),
    platform: 'node',
    external: isInstalled,
    output: {
      dir: join(folder, 'lib'),
      entryFileNames: '[name].js',
      chunkFileNames: '[name]-[hash].js',
    },
  })
}

/** Returns whether a module is imported by name and resolved from the installed package. */
function isInstalled(specifier: string): boolean {
  if (isBuiltin(specifier)) return true
  const isOwn = Object.keys(workspaces).some((name) => specifier === name || specifier.startsWith(`${name}/`))
  return !isOwn && /^[@a-z]/.test(specifier) && specifier !== stylesEntry
}

const stylesEntry = 'all-styles'

function allStyles(): Plugin {
  return {
    name: 'all-styles',
    enforce: 'pre',
    resolveId: (id) => (id === stylesEntry ? `\0${stylesEntry}` : null),
    load: (id) => (id === `\0${stylesEntry}` ? "import '@pult/ui/styles.css'" : null),
  }
}

/** Returns the packages that the built modules and their declarations import, by name. */
export async function packagesImportedBy(paths: readonly string[]): Promise<Set<string>> {
  const names = new Set<string>()
  for (const path of paths) {
    for (const { specifier } of scanImports(path, await readFile(path, 'utf8')).imports) {
      const parts = specifier.split('/')
      if (isInstalled(specifier) && !isBuiltin(specifier))
        names.add(parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/'))
    }
  }
  return names
}
