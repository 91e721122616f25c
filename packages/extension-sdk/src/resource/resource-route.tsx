import type { ComponentType } from 'react'
import type { RouteObject } from 'react-router'

/**
 * The pages of a resource: its root with the list, and below it `create` and `edit/:itemId`.
 *
 * @param loadRoot Fetches the room's page, which shows a {@link ResourcePage}.
 * @example resourceRoute('/notes', async () => (await import('./NotesPage.tsx')).NotesPage)
 */
export function resourceRoute(path: string, loadRoot: () => Promise<ComponentType>): RouteObject {
  return {
    path,
    lazy: { Component: loadRoot },
    // While the first page travels there is the frame with nothing in it.
    hydrateFallbackElement: <></>,
    children: [
      { index: true, lazy: { Component: async () => (await import('./ChoosePage.tsx')).ChoosePage } },
      { path: 'create', lazy: { Component: async () => (await import('./CreatePage.tsx')).CreatePage } },
      { path: 'edit/:itemId', lazy: { Component: async () => (await import('./EditPage.tsx')).EditPage } },
    ],
  }
}
