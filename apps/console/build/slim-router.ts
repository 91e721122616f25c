import type { Plugin } from 'vite'

/*
 * Parts of react-router that only its framework mode uses, and its own Link and router hold on to: what prefetches the
 * routes of a framework's manifest, and what measures them. The console has neither.
 */
const unused: Record<string, string> = {
  'ssr/components.js': `
    import { createContext } from 'react'
    export const FrameworkContext = createContext(undefined)
    export const PrefetchPageLinks = () => null
    export const usePrefetchBehavior = () => [false, undefined, {}]
    export const mergeRefs = (own) => own`,
  'instrumentation.js': `
    export const consumeInstrumentationClientResultMetaReceiver = () => undefined
    export const getRouteInstrumentationUpdates = () => ({})
    export const instrumentClientSideRouter = (router) => router`,
}

const prefix = '\0unused-router-part:'
/** The modules that every router needs, and that ask for those parts. */
const askers = /\/react-router\/dist\/production\/lib\/(?:components|dom\/lib|router\/router)\.js$/

/** Leaves them out, 2 kB of the frame. Fails with a version of react-router that has them elsewhere. */
export function slimRouter(): Plugin {
  const found = new Set<string>()
  return {
    name: 'slim-router',
    apply: 'build',
    enforce: 'pre',
    resolveId(id, importer) {
      const name = Object.keys(unused).find((each) => id.endsWith(`/${each}`))
      if (name === undefined || importer === undefined || !askers.test(importer)) return null
      found.add(name)
      return prefix + name
    },
    load: (id) => (id.startsWith(prefix) ? (unused[id.slice(prefix.length)] ?? null) : null),
    buildEnd() {
      const missing = Object.keys(unused).filter((name) => !found.has(name))
      if (missing.length > 0) this.error(`react-router has no ${missing.join(', ')} where it had them before`)
    },
  }
}
