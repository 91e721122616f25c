import { createBrowserRouter, type RouteObject } from 'react-router'
import { LeaveGuard } from '#platform/unsaved-input/LeaveGuard.tsx'
import { accountRoute } from './account/account.routes.tsx'
import { AppGrid } from './extensions/AppGrid.tsx'
import { appRoutes } from './extensions/extensions.routes.tsx'
import { HomePage } from './home/HomePage.tsx'
import { organisationsRoute } from './organisations/organisations.routes.tsx'
import { projectsRoute } from './projects/projects.routes.tsx'
import { InstallationPage } from './shell/InstallationPage.tsx'
import { installationPages } from './shell/installation-pages.ts'
import { NotFoundPage } from './shell/NotFoundPage.tsx'
import { PageError } from './shell/PageError.tsx'
import { Shell } from './shell/Shell.tsx'

/** Everything a signed-in person can open. `/bift` is public and needs no router: see `App.tsx`. */
const routes: RouteObject[] = [
  {
    element: (
      <>
        <Shell />
        <LeaveGuard />
      </>
    ),
    children: [
      {
        errorElement: <PageError />,
        children: [
          { path: '/', element: <HomePage AppGrid={AppGrid} /> },
          accountRoute,
          ...appRoutes,
          organisationsRoute,
          projectsRoute,
          ...installationPages.map((page) => ({
            path: page.path,
            element: <InstallationPage page={page} />,
          })),
          { path: '*', element: <NotFoundPage /> },
        ],
      },
    ],
  },
]

export const router = createBrowserRouter(routes)
