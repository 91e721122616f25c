import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import optimizeLocales from '@react-aria/optimize-locales-plugin'
import react from '@vitejs/plugin-react'
import { minifySync } from 'rolldown/utils'
import { defineConfig, type HtmlTagDescriptor, type Plugin, type Rolldown } from 'vite'
import { compileAhead } from './build/compile-ahead.ts'
import { fetchBeforeImport } from './build/fetch-before-import.ts'
import { layerOrder } from './build/layer-order.ts'
import { chunksOf, integrityOf, shareModules, stylesOf } from './build/shared-modules.ts'
import { slimIcons } from './build/slim-icons.ts'
import { slimRouter } from './build/slim-router.ts'
import manifest from './package.json' with { type: 'json' }

const root = fileURLToPath(new URL('.', import.meta.url))

/** What the frame uses of react-query: the rest stays with those who use it. */
const frameQueries =
  /@tanstack\/(?:query-core|react-query)\/(?!.*(?:hydrat|infinite|streamed|queries|suspense|isfetching|mutation|prefetch|types))/i

/** What the signed-in console always has, the login never, and many of its pages import. */
const sharedFrame = new RegExp(
  [
    'extension-sdk/src/(?:host|call|read-again)',
    'contract/src/(?:invitations|projects|settings|system|realtime|extensions/(?:app-manifest|fragment))',
    'ui/src/(?:color/(?:contrast|ProjectChip)|feedback/(?:Badge|EmptyState|StatusDot)|time/format-instant|text/page-locale)',
    'ui/src/(?:tooltip/Tooltip|button/IconButton|layout/(?:Card|NavItem)|link/Link)',
    'lucide-react/dist/esm/icons/(?:search|sun|moon|sun-moon|chevron-down)',
    'console/src/(?:shell/(?:shell\\.texts|window-bar-slot)|projects/(?:projects\\.queries|open-project))',
    'console/src/extensions/(?:registry|extensions\\.(?:texts|queries)|fragments|load-extension)',
    'console/src/platform/(?:console-host|density|drafts|realtime|topics|live-collections|query-client|use-credentials)',
    'console/src/platform/(?:go-to|overlay|window-wishes|offered-actions|is-behind-dialog|notify)',
    'console/src/settings/(?:settings\\.(?:queries|texts)|follow-settings|language/account-language)',
    'console/src/platform/unsaved-input/unsaved-input(?:\\.texts)?',
  ]
    .map((part) => `(?:${part}\\.(?:tsx?|mjs|module\\.css)$)`)
    .join('|'),
)

/** How the server is asked, and what the login asks: one file instead of ten. */
const loginCalls =
  /zod\/v4\/(?:core\/(?:util|core|errors|parse|regexes|checks|versions|schemas|api)|mini\/schemas)\.js$|contract\/src\/(?:endpoint|auth\/(?:ahead|webauthn|login|otp|password|passkey-login))\.ts$|console\/src\/(?:platform\/api|login\/passkey-(?:autofill|calls))\.ts$/

/** Who somebody is, asked of the server. */
const identity =
  /contract\/src\/(?:collection|account\/(?:credentials|me)|auth\/session)\.ts$|console\/src\/platform\/identity-calls\.ts$/

export default defineConfig({
  root,
  plugins: [
    { ...optimizeLocales.vite({ locales: ['de-DE', 'en-US'] }), enforce: 'pre' },
    react(),
    shareModules(),
    fetchBeforeImport(),
    slimRouter(),
    slimIcons(),
    documentHead(),
    layerOrder(),
    compileAhead(),
    compress(),
  ],
  build: {
    outDir: 'dist',
    // Open tabs of the build before still ask for its files; the one who builds prunes them.
    emptyOutDir: false,
    modulePreload: { polyfill: false },
    target: 'es2022',
    rolldownOptions: {
      // Lets the page's script hand out what it shares with the rest, and each shared module be a file of its own.
      preserveEntrySignatures: 'allow-extension',
      output: {
        codeSplitting: {
          groups: [
            // With that through which each import() goes: it would come with the table otherwise.
            { name: 'start', test: /src\/boot\/start\.ts$|vite\/preload-helper/, priority: 4 },
            // Nobody loads it.
            { name: 'shared', test: /virtual:shared\/table$/, priority: 3 },
            // Changes seldom, so a new build leaves it in the browsers' caches; and whoever develops an extension has
            // another React in its place.
            {
              name: 'react',
              test: /node_modules\/(react|react-dom|scheduler)\/|rolldown\/runtime/,
              priority: 2,
            },
            { name: 'main', tags: ['$initial'], priority: 1 },
            { name: 'calls', test: loginCalls, priority: 2, includeDependenciesRecursively: false },
            { name: 'identity', test: identity, priority: 2, includeDependenciesRecursively: false },
            {
              name: 'router',
              test: /react-router\/dist\/production\/lib\/|unused-router-part/,
              priority: 1,
              includeDependenciesRecursively: false,
            },
            // Small modules of the frame that many pages share: one file of them is smaller than one of each.
            { name: 'frame', test: sharedFrame, priority: 1, includeDependenciesRecursively: false },
            // The frame needs these anyway: extensions share them, but not as files of their own for each few lines.
            { name: 'query', test: frameQueries, priority: 1 },
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

/** Tells the document which build it is, and its first script which files the signed-in console consists of. */
function documentHead(): Plugin {
  let firstScript = ''
  return {
    name: 'document-head',
    async buildStart() {
      // All others are made smaller by the build itself.
      const { code } = minifySync('first.js', await readFile(join(root, 'public/first.js'), 'utf8'))
      firstScript = code
    },
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle }) => ({
        html: bundle === undefined ? html : withFirstScript(html, firstScript, frameFiles(bundle, html)),
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

/** Asked for with the scripts, and not in the middle of the first layout, which would take longer by that. */
function preloadedFont(bundle: Rolldown.OutputBundle): HtmlTagDescriptor {
  const name = Object.keys(bundle).find((file) => /\/inter-latin-wght-normal-[^/]+\.woff2$/.test(file))
  if (name === undefined) throw new Error('The font of the console is no file of the build')
  const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: `/${name}` }
  return { tag: 'link', attrs, injectTo: 'head-prepend' }
}

/**
 * The first script is no module, whose digest the import map would have. Integrity-Policy wants one of each script, and
 * a request that could check it.
 */
function withFirstScript(html: string, script: string, frame: readonly string[]): string {
  const attributes = `crossorigin integrity="${integrityOf(Buffer.from(script))}" data-frame="${frame.join(' ')}"`
  return html.replace('<script src="/first.js"', (tag) => `${tag} ${attributes}`)
}

/** What the signed-in console needs beyond what the document names itself. */
function frameFiles(bundle: Rolldown.OutputBundle, html: string): string[] {
  const frame = Object.values(bundle).find(
    (file) => file.type === 'chunk' && file.facadeModuleId?.endsWith('/src/console.tsx') === true,
  )
  if (frame?.type !== 'chunk') throw new Error('The frame is no chunk of its own')
  const styles = stylesOf(frame, bundle)
  const scripts = [...chunksOf(frame, bundle)].map(({ fileName }) => fileName)
  return [...scripts, ...styles].map((name) => `/${name}`).filter((url) => !html.includes(`"${url}"`))
}

/** Version, time and commit, as `pult-build` carries them. The one who builds hands over the last two. */
function buildOf({ PULT_BUILD_TIMESTAMP = '', PULT_BUILD_COMMIT = '' }: NodeJS.ProcessEnv): string {
  return [manifest.version, PULT_BUILD_TIMESTAMP, PULT_BUILD_COMMIT].join(' ').trim()
}

/** Puts a `.br` and a `.gz` beside each text file of the build, so that the server compresses nothing itself. */
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
