import { createBrowserRouter, type RouteObject } from 'react-router'
import { LeaveGuard } from '#platform/unsaved-input/LeaveGuard.tsx'
import { pageInput } from '#platform/unsaved-input/unsaved-input.ts'
import { accountRoute } from './account/account.routes.tsx'
import { AppGrid } from './extensions/AppGrid.tsx'
import { hasRole } from './extensions/app-access.ts'
import { inProject } from './extensions/app-address.ts'
import { appRoutes } from './extensions/extensions.routes.tsx'
import { HomeCards } from './extensions/HomeCards.tsx'
import { PageCards } from './extensions/PageCards.tsx'
import { Refused } from './extensions/Refused.tsx'
import { FirstSteps } from './first-steps/FirstSteps.tsx'
import { homeRoute } from './home/home.routes.tsx'
import { organisationsRoute } from './organisations/organisations.routes.tsx'
import { ProjectsOfOrganisation, projectsRoute } from './projects/projects.routes.tsx'
import { settingsRoute } from './settings/settings.routes.tsx'
import { installationRoutes } from './shell/installation.routes.tsx'
import { NotFoundPage } from './shell/NotFoundPage.tsx'
import { PageError } from './shell/PageError.tsx'
import { Shell } from './shell/Shell.tsx'
import { tasksRoute } from './tasks/tasks.routes.tsx'

/** All pages of the signed-in console. `/bift` is public and needs no router: see `App.tsx`. */
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
          homeRoute({ AppGrid, FirstSteps, HomeCards, Refused, hasRole }),
          accountRoute,
          ...appRoutes,
          organisationsRoute({ Projects: ProjectsOfOrganisation, Cards: PageCards }),
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

const { createHref } = router
router.createHref = (location) => inProject(createHref(location))
