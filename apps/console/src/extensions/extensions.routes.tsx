import type { RouteObject } from 'react-router'

/** The pages of apps and the grid of root apps. One route serves all apps, because they are known only at run time. */
export const appRoutes: RouteObject[] = [
  {
    path: '/app/:appId/*',
    hydrateFallbackElement: <></>,
    lazy: { Component: async () => (await import('./AppPage.tsx')).AppPage },
  },
  {
    path: '/root',
    hydrateFallbackElement: <></>,
    lazy: { Component: async () => (await import('./RootPage.tsx')).RootPage },
  },
]
