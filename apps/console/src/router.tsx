import { createBrowserRouter, type RouteObject } from 'react-router'
import { HomePage } from './home/HomePage.tsx'
import { InstallationPage } from './shell/InstallationPage.tsx'
import { installationPages } from './shell/installation-pages.ts'
import { NotFoundPage } from './shell/NotFoundPage.tsx'
import { PageError } from './shell/PageError.tsx'
import { Shell } from './shell/Shell.tsx'

/** Everything a signed-in person can open. `/bift` is public and needs no router: see `App.tsx`. */
const routes: RouteObject[] = [
  {
    element: <Shell />,
    children: [
      {
        errorElement: <PageError />,
        children: [
          { path: '/', element: <HomePage /> },
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
