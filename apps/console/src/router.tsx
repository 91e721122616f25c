import { createBrowserRouter } from 'react-router'
import { LeaveGuard } from '#platform/unsaved-input/LeaveGuard.tsx'
import { pageInput } from '#platform/unsaved-input/unsaved-input.ts'
import { inProject } from './extensions/app-address.ts'
import { routes } from './pages/routes.tsx'
import { NotFoundPage } from './shell/NotFoundPage.tsx'
import { PageError } from './shell/PageError.tsx'
import { Shell } from './shell/Shell.tsx'

/** All pages of the signed-in console. `/bift` is public and needs no router: see `App.tsx`. */
export const router = createBrowserRouter([
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
        children: [...routes, { path: '*', element: <NotFoundPage /> }],
      },
    ],
  },
])

const { createHref } = router
router.createHref = (location) => inProject(createHref(location))
