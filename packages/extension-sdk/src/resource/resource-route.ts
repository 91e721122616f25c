import type { AppRoute } from '../define-extension.ts'

/**
 * Returns the pages of a resource as a route of an app: the list, and below it `create` and `edit/:itemId`.
 *
 * @param name Starts with `app-{id of the app}`.
 * @param path The `path` of the component's `ResourcePage` view.
 * @example defineApp({ routes: [resourceRoute('app-show-cues', 'cues', CuesPage)] })
 */
export function resourceRoute(name: string, path: string, Component: AppRoute['Component']): AppRoute {
  return { name, path: `${path}/*`, Component }
}
