import { lazy } from 'react'
import type { RouteObject } from 'react-router'

/** The pages of projects. Each loads on its first visit. */
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

/** The part of an organisation's page that shows its projects. */
export const ProjectsOfOrganisation = lazy(async () => ({
  default: (await import('./ProjectsOfOrganisation.tsx')).ProjectsOfOrganisation,
}))
