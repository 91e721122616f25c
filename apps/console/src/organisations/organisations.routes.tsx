import type { RouteObject } from 'react-router'
import type { OrganisationPageProps } from './OrganisationPage.tsx'

/** The pages of organisations. Each loads on its first visit. */
export const organisationsRoute = (parts: OrganisationPageProps): RouteObject => ({
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
      lazy: async () => {
        const { OrganisationPage } = await import('./OrganisationPage.tsx')
        return { element: <OrganisationPage {...parts} /> }
      },
    },
  ],
})
