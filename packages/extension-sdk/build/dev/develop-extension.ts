import { join, resolve } from 'node:path'
import { sharedModules } from '@pult/contract'
import { loadEnv, normalizePath, type Plugin } from 'vite'
import { readAuthorManifest } from '../author-manifest.ts'
import type { DevelopedExtension } from './developed-fragment.ts'
import { developmentReactModule } from './development-react.ts'
import { consoleProxy, createFront } from './front.ts'
import { developmentBase, developmentReact, sharedModulePath } from './places.ts'
import { createRunningConsole } from './running-console.ts'

const usualConsole = 'http://localhost:8080'

/** Shared modules that the console provides in development, too. React is replaced for console and extension. */
const ofConsole: readonly string[] = sharedModules.filter((module) => !/^react(?:-dom|\/|$)/.test(module))

const react = ['react', 'react/jsx-runtime', 'react/jsx-dev-runtime', 'react-dom', 'react-dom/client']

/**
 * Makes Vite's development server show a running console that loads the extension from its sources. `PULT_CONSOLE`, in
 * the environment or in `.env`, contains the console's address.
 *
 * @param entry The module whose default export is the result of `defineExtension`.
 */
export function developExtension(entry: string): Plugin {
  let url = usualConsole
  let hasFastRefresh = false
  let manifestPath = ''
  return {
    name: 'pult-extension-development',
    enforce: 'pre',
    // A test runner's server shows no page.
    apply: (_config, { command, mode, isPreview }) =>
      command === 'serve' && isPreview !== true && mode !== 'test',
    config: ({ root = '.', envDir = '.' }, { mode }) => {
      url = consoleOf(loadEnv(mode, envDir && resolve(root, envDir), 'PULT_'))
      return {
        base: developmentBase,
        appType: 'custom',
        publicDir: false,
        server: { proxy: consoleProxy(url) },
        optimizeDeps: { entries: [entry], include: react, exclude: [...ofConsole] },
      }
    },
    configResolved: ({ root, plugins }) => {
      manifestPath = normalizePath(join(root, 'manifest.json'))
      hasFastRefresh = plugins.some(({ name }) => name === 'vite:react-refresh')
    },
    resolveId: (id) => {
      if (id === developmentReact) return id
      return ofConsole.includes(id) ? sharedModulePath(id) : null
    },
    load: (id) => {
      if (id === developmentReact) return developmentReactModule(hasFastRefresh)
      // The browser loads the console's module. Vite's pre-transform of the imports gets an empty one.
      return ofConsole.some((module) => sharedModulePath(module) === id) ? '' : null
    },
    async configureServer(server) {
      const { root, logger } = server.config
      const path = `${developmentBase}${entry}`
      let last: DevelopedExtension = { manifest: await readAuthorManifest(root), entry: path }

      const extension = async (): Promise<DevelopedExtension> => {
        try {
          last = { manifest: await readAuthorManifest(root), entry: path }
        } catch (error) {
          const problem = error instanceof Error ? error.message : String(error)
          logger.error(problem, { timestamp: true })
          return { ...last, problem }
        }
        return last
      }
      const front = createFront({ console: createRunningConsole(url), extension })
      server.middlewares.use((request, response, next) => void front(request, response, next))

      server.printUrls = () => {
        const { label, version } = last.manifest
        logger.info(`\n  ${label} ${version} in the console of ${url}:`)
        const { local = [], network = [] } = server.resolvedUrls ?? {}
        for (const shown of [...local, ...network]) logger.info(`  ${new URL('/', shown).href}`)
      }
    },
    // The manifest takes effect only when the console starts.
    hotUpdate({ file }) {
      if (file !== manifestPath) return undefined
      this.environment.hot.send({ type: 'full-reload' })
      return []
    },
  }
}

function consoleOf({ PULT_CONSOLE: given = usualConsole }: Record<string, string>): string {
  if (!URL.canParse(given) || !/^https?:$/.test(new URL(given).protocol))
    throw new Error(`PULT_CONSOLE is ${given}. Set it to an address such as ${usualConsole}.`)
  return new URL(given).origin
}
