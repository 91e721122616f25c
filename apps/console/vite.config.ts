import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import optimizeLocales from '@react-aria/optimize-locales-plugin'
import react from '@vitejs/plugin-react'
import { minifySync } from 'rolldown/utils'
import { defineConfig, type HtmlTagDescriptor, type Plugin, type Rolldown } from 'vite'
import { fetchBeforeImport } from './build/fetch-before-import.ts'
import { layerOrder } from './build/layer-order.ts'
import { chunksOf, integrityOf, shareModules, stylesOf } from './build/shared-modules.ts'
import manifest from './package.json' with { type: 'json' }

const root = fileURLToPath(new URL('.', import.meta.url))

/**
 * The parts of a start in loading order. A part consists of the named modules and their imports, except modules of
 * earlier parts. Splitting by all pages that share a module would make a start request a hundred tiny files, of which
 * browsers fetch six at a time.
 */
const startGroups: Rolldown.CodeSplittingGroup[] = [
  // The calls load with the suggestions of passkeys, before the user has typed anything.
  { name: 'calls', test: /\/src\/login\/password-calls\.ts$/ },
  { name: 'login', test: /\/src\/login\/Proof\.tsx$/ },
  // Public pages load no part of the console, so modules that both use form a separate part.
  { name: 'public', test: /\/src\/token-links\/TokenLinkPage\.tsx$/, entriesAware: true },
  { name: 'frame', test: /\/src\/console\.tsx$/ },
  // Every page loads these after the frame, with the components of a small page.
  {
    name: 'page',
    test: /\/src\/(shell\/InstallationPage\.tsx|tasks\/watch-tasks\.ts|extensions\/AppIcon\.tsx)$/,
  },
  { name: 'home', test: /\/src\/(pages\/Home\.tsx|extensions\/AppTiles\.tsx)$/ },
]

export default defineConfig({
  root,
  plugins: [
    { ...optimizeLocales.vite({ locales: ['de-DE', 'en-US'] }), enforce: 'pre' },
    react(),
    shareModules(),
    fetchBeforeImport(),
    documentHead(),
    layerOrder(),
    compress(),
  ],
  build: {
    outDir: 'dist',
    // Open tabs of the previous build still request its files; tools/build-console.ts prunes them.
    emptyOutDir: false,
    modulePreload: { polyfill: false },
    target: 'es2022',
    rolldownOptions: {
      // The document's script exports code that other chunks share with it, and each shared module is a separate
      // file.
      preserveEntrySignatures: 'allow-extension',
      output: {
        // The sign-in page contains the names of later files, and their hashes cannot be compressed. The name of a shared
        // chunk begins with its group, and would list all its importers.
        chunkFileNames: ({ name }) => `assets/${name.split('~')[0]}-[hash:7].js`,
        codeSplitting: {
          groups: [
            // React rarely changes and stays in the browser's cache. Extension development replaces this file.
            {
              name: 'react',
              test: /node_modules\/(react|react-dom|scheduler)\/|rolldown\/runtime/,
              priority: 1,
            },
            { name: 'main', tags: ['$initial'] },
            ...startGroups,
          ],
        },
      },
    },
  },
  server: {
    port: 8080,
    strictPort: true,
    proxy: { '/api': { target: 'http://localhost:8081', ws: true } },
  },
})

/** Writes the build into the document, and the list of files that a signed-in console needs onto its first script. */
function documentHead(): Plugin {
  let firstScript = ''
  return {
    name: 'document-head',
    async buildStart() {
      // Vite does not minify files of the public folder.
      const { code } = minifySync('first.js', await readFile(join(root, 'public/first.js'), 'utf8'))
      firstScript = code
    },
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle }) => ({
        html: bundle === undefined ? html : withFirstScript(html, firstScript, bundle),
        tags: [
          ...(bundle === undefined ? [] : [preloadedFont(bundle)]),
          { tag: 'meta', attrs: { name: 'pult-build', content: buildOf(process.env) }, injectTo: 'head' },
        ],
      }),
    },
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'first.js', source: firstScript })
    },
  }
}

/** Preloads the font with the scripts. A request during the first layout would delay it. */
function preloadedFont(bundle: Rolldown.OutputBundle): HtmlTagDescriptor {
  const name = Object.keys(bundle).find((file) => /\/inter-latin-wght-normal-[^/]+\.woff2$/.test(file))
  if (name === undefined) throw new Error('The build does not contain the font of the console')
  const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: `/${name}` }
  return { tag: 'link', attrs, injectTo: 'head-prepend' }
}

/** The import map holds digests of modules only. Integrity-Policy requires one for this classic script as well. */
function withFirstScript(html: string, script: string, bundle: Rolldown.OutputBundle): string {
  const frame = filesOf('/src/console.tsx', bundle).filter((url) => !html.includes(`"${url}"`))
  const home = filesOf('/src/pages/Home.tsx', bundle).filter(
    (url) => !frame.includes(url) && !html.includes(`"${url}"`),
  )
  const integrity = integrityOf(Buffer.from(script))
  const attributes = `crossorigin integrity="${integrity}" data-frame="${frame.join(' ')}" data-home="${home.join(' ')}"`
  return html.replace('<script src="/first.js"', (tag) => `${tag} ${attributes}`)
}

/** The files that a module needs. */
function filesOf(module: string, bundle: Rolldown.OutputBundle): string[] {
  const chunk = Object.values(bundle).find(
    (file) => file.type === 'chunk' && file.moduleIds.some((id) => id.endsWith(module)),
  )
  if (chunk?.type !== 'chunk') throw new Error(`No chunk contains ${module}`)
  const scripts = [...chunksOf(chunk, bundle)].map(({ fileName }) => fileName)
  return [...scripts, ...stylesOf(chunk, bundle)].map((name) => `/${name}`)
}

/** Version, time and commit for `pult-build`. The build script passes the last two. */
function buildOf({ PULT_BUILD_TIMESTAMP = '', PULT_BUILD_COMMIT = '' }: NodeJS.ProcessEnv): string {
  return [manifest.version, PULT_BUILD_TIMESTAMP, PULT_BUILD_COMMIT].join(' ').trim()
}

/** Writes a `.br` and a `.gz` beside each text file, so that the server compresses nothing at run time. */
function compress(): Plugin {
  return {
    name: 'compress',
    apply: 'build',
    writeBundle: {
      sequential: true,
      order: 'post',
      handler: async ({ dir = join(root, 'dist') }, bundle) => {
        const published = await readdir(join(root, 'public'), { recursive: true })
        const files = [...Object.keys(bundle), ...published].filter((name) =>
          /\.(js|css|svg|webmanifest)$/.test(name),
        )
        await Promise.all(files.map((name) => writeCompressed(join(dir, name))))
      },
    },
  }
}

async function writeCompressed(file: string): Promise<void> {
  const content = await readFile(file)
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }
  await Promise.all([
    promisify(brotliCompress)(content, quality).then((bytes) => writeFile(`${file}.br`, bytes)),
    promisify(gzip)(content, { level: 9 }).then((bytes) => writeFile(`${file}.gz`, bytes)),
  ])
}
