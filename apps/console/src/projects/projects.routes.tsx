import type { RouteObject } from 'react-router'

/** The pages about projects. Each comes with the first visit to it. */
export const projectsRoute: RouteObject = {
  path: '/projects',
  hydrateFallbackElement: <></>,
  children: [
    { index: true, lazy: { Component: async () => (await import('./ProjectsPage.tsx')).ProjectsPage } },
    {
      path: 'create',
      lazy: { Component: async () => (await import('./CreateProjectPage.tsx')).CreateProjectPage },
    },
  ],
}
