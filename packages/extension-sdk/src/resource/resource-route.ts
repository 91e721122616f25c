import type { AppRoute } from '../define-extension.ts'

/**
 * The pages of a resource as a route of an app: its root with the list, and below it `create` and `edit/:itemId`.
 *
 * @param name Begins with `app-{id of the app}`.
 * @param path As in the view that the component gives to its `ResourcePage`.
 * @example defineApp({ routes: [resourceRoute('app-show-cues', 'cues', CuesPage)] })
 */
export function resourceRoute(name: string, path: string, Component: AppRoute['Component']): AppRoute {
  return { name, path: `${path}/*`, Component }
}
