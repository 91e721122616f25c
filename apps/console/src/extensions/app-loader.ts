import type { AppDefinition, AppRoute } from '@pult/sdk'
import { queryOptions } from '@tanstack/react-query'
import { texts } from './extensions.texts.ts'
import { LoadingError, loadModule } from './load-extension.ts'
import type { App } from './registry.ts'

/** The code of an app, which is loaded when it is opened for the first time and kept. */
export const appQuery = ({ manifest, extension, state }: App) =>
  queryOptions({
    queryKey: ['app', extension.entry, manifest.id],
    queryFn: async () => {
      const loader = state.status === 'ready' ? state.loaders.get(manifest.id) : undefined
      if (loader === undefined) throw new LoadingError(texts.notRegistered, false)
      const [loaded] = await Promise.all([loadModule(loader), loadStyles(extension)])
      return checked(manifest.id, loaded.default)
    },
    enabled: state.status === 'ready',
    staleTime: 'static',
    gcTime: Number.POSITIVE_INFINITY,
    retry: false,
  })

/** The module is somebody else's: it may export anything. */
function checked(appId: string, app: Partial<AppDefinition> | undefined): AppDefinition {
  const routes: readonly AppRoute[] = Array.isArray(app?.routes) ? app.routes : []
  if (routes.length === 0) throw new LoadingError(texts.noApp, false)
  const misnamed = routes.find(({ name }) => !isNameOf(appId, name))
  if (misnamed !== undefined) throw new LoadingError(texts.misnamed(misnamed.name, appId), false)
  return { routes }
}

const isNameOf = (appId: string, name: unknown) =>
  typeof name === 'string' && (name === `app-${appId}` || name.startsWith(`app-${appId}-`))

/** Each style sheet once; it stays, because its rules are of this extension alone. */
async function loadStyles({ styles, integrity }: App['extension']): Promise<void> {
  const missing = styles.filter((href) => document.querySelector(`link[href="${CSS.escape(href)}"]`) === null)
  await Promise.all(missing.map((href) => loadStyle(href, integrity[href] ?? '')))
}

function loadStyle(href: string, integrity: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href, integrity })
    link.addEventListener('load', () => resolve())
    link.addEventListener('error', () => {
      link.remove()
      reject(new LoadingError(texts.notFetched, true))
    })
    document.head.append(link)
  })
}
