import type { RouteObject } from 'react-router'

/** The pages about organisations. Each comes with the first visit to it. */
export const organisationsRoute: RouteObject = {
  path: '/orgs',
  hydrateFallbackElement: <></>,
  children: [
    {
      index: true,
      lazy: { Component: async () => (await import('./OrganisationsPage.tsx')).OrganisationsPage },
    },
    {
      path: 'create',
      lazy: { Component: async () => (await import('./CreateOrganisationPage.tsx')).CreateOrganisationPage },
    },
    {
      path: ':orgId',
      lazy: { Component: async () => (await import('./OrganisationPage.tsx')).OrganisationPage },
    },
  ],
}
