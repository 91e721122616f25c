import type { RouteObject } from 'react-router'

/** The pages of apps, and the grid of root apps. One route serves all apps: which there are is known at run time only. */
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
