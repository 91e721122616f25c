import type { AppDefinition, AppRoute } from '@pult/sdk'
import { queryOptions } from '@tanstack/react-query'
import { LoadingError } from '#platform/loading-error.ts'
import { texts } from './extensions.texts.ts'
import { loadCode } from './load-extension.ts'
import { type App, registrationOf } from './registry.ts'
import { reportFailure } from './report-failure.ts'

/** The code of an app, loaded on first use and cached. */
export const appQuery = (app: App) => {
  const { manifest, extension, state } = app
  return queryOptions({
    queryKey: ['app', extension.entry, manifest.id],
    queryFn: async () => {
      try {
        const loader = registrationOf(app)?.loader
        if (loader === undefined) throw new LoadingError(texts.notRegistered, false)
        const [loaded] = await Promise.all([loadCode(extension, loader), loadStyles(extension)])
        return checked(manifest.id, loaded.default)
      } catch (error) {
        reportFailure(extension, manifest.id, error)
        throw error
      }
    },
    enabled: state.status === 'ready',
    staleTime: 'static',
    gcTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
}

/** Validates a module from an extension, which may export anything. */
function checked(appId: string, app: Partial<AppDefinition> | undefined): AppDefinition {
  const routes: readonly AppRoute[] = Array.isArray(app?.routes) ? app.routes : []
  if (routes.length === 0) throw new LoadingError(texts.noApp, false)
  const misnamed = routes.find(({ name }) => !isNameOf(appId, name))
  if (misnamed !== undefined) throw new LoadingError(texts.misnamed(misnamed.name, appId), false)
  return { routes, ...(app?.hosts === 'project' && { hosts: 'project' }) }
}

const isNameOf = (appId: string, name: unknown) =>
  typeof name === 'string' && (name === `app-${appId}` || name.startsWith(`app-${appId}-`))

/** Loads each style sheet once and keeps it, because its rules apply to this extension only. */
export async function loadStyles({ styles, integrity }: App['extension']): Promise<void> {
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
