import type { RouteObject } from 'react-router'
import type { HomePageProps } from './ProjectHome.tsx'

/** Home. Its code loads with the first start that shows it. */
export const homeRoute = (props: HomePageProps): RouteObject => ({
  path: '/',
  lazy: async () => {
    const { HomePage } = await import('./HomePage.tsx')
    return { element: <HomePage {...props} /> }
  },
  hydrateFallbackElement: <></>,
})
