import type { RouteObject } from 'react-router'
import { installationPages } from './installation-pages.ts'

/** Contact, Privacy and Imprint. Users rarely open them, so they are not part of the frame. */
export const installationRoutes: RouteObject[] = installationPages.map((page) => ({
  path: page.path,
  lazy: {
    Component: async () => {
      const { InstallationPage } = await import('./InstallationPage.tsx')
      return () => <InstallationPage page={page} />
    },
  },
  hydrateFallbackElement: <></>,
}))
