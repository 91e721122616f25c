import type { AppDefinition } from '@pult/sdk'
import { queryOptions } from '@tanstack/react-query'
import { texts } from './extensions.texts.ts'
import { LoadingError, loadModule } from './load-extension.ts'
import type { App } from './registry.ts'

/** The code of an app, which is loaded when it is opened for the first time and kept. */
export const appQuery = ({ manifest, extension, state }: App) =>
  queryOptions({
    queryKey: ['app', extension.id, extension.version, manifest.id],
    queryFn: async () => {
      if (state.status !== 'ready') throw new LoadingError(texts.notRegistered, false)
      await loadStyles(extension.styles)
      const loaded = await loadModule(state.loader)
      return checked(manifest.id, loaded.default)
    },
    enabled: state.status === 'ready',
    staleTime: 'static',
    gcTime: Number.POSITIVE_INFINITY,
    retry: false,
  })

function checked(appId: string, app: Partial<AppDefinition> | undefined): AppDefinition {
  if (!Array.isArray(app?.routes) || app.routes.length === 0) throw new LoadingError(texts.noApp, false)
  const misnamed = app.routes.find(({ name }) => !isNameOf(appId, name))
  if (misnamed !== undefined) throw new LoadingError(texts.misnamed(String(misnamed.name), appId), false)
  return { routes: app.routes }
}

const isNameOf = (appId: string, name: unknown) =>
  typeof name === 'string' && (name === `app-${appId}` || name.startsWith(`app-${appId}-`))

/** Each style sheet once; it stays, because its rules are of this extension alone. */
function loadStyles(paths: readonly string[]): Promise<unknown> {
  return Promise.all(
    paths.map((href) => {
      if (document.querySelector(`link[href="${CSS.escape(href)}"]`) !== null) return null
      return new Promise<void>((resolve, reject) => {
        const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href })
        link.addEventListener('load', () => resolve())
        link.addEventListener('error', () => {
          link.remove()
          reject(new LoadingError(texts.notFetched, true))
        })
        document.head.append(link)
      })
    }),
  )
}
