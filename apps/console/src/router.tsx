import { createBrowserRouter, type RouteObject } from 'react-router'
import { LeaveGuard } from '#platform/unsaved-input/LeaveGuard.tsx'
import { pageInput } from '#platform/unsaved-input/unsaved-input.ts'
import { accountRoute } from './account/account.routes.tsx'
import { AppGrid } from './extensions/AppGrid.tsx'
import { appRoutes } from './extensions/extensions.routes.tsx'
import { HomePage } from './home/HomePage.tsx'
import { organisationsRoute } from './organisations/organisations.routes.tsx'
import { projectsRoute } from './projects/projects.routes.tsx'
import { settingsRoute } from './settings/settings.routes.tsx'
import { installationRoutes } from './shell/installation.routes.tsx'
import { NotFoundPage } from './shell/NotFoundPage.tsx'
import { PageError } from './shell/PageError.tsx'
import { Shell } from './shell/Shell.tsx'
import { tasksRoute } from './tasks/tasks.routes.tsx'

/** Everything a signed-in person can open. `/bift` is public and needs no router: see `App.tsx`. */
const routes: RouteObject[] = [
  {
    element: (
      <>
        <Shell />
        <LeaveGuard input={pageInput} />
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
          tasksRoute,
          settingsRoute,
          ...installationRoutes,
          { path: '*', element: <NotFoundPage /> },
        ],
      },
    ],
  },
]

export const router = createBrowserRouter(routes)
