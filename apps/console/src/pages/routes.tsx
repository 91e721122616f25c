import type { ComponentType, ReactNode } from 'react'
import type { RouteObject } from 'react-router'
import { usePageTitle } from '#platform/page-title.ts'
import { account, type Page, pages, type Section, settings } from './pages.tsx'

interface TitledProps {
  title: string
  children: ReactNode
}

/** Sets the title of a page. It wraps the page, so that the title of an inner page follows. */
function Titled({ title, children }: TitledProps) {
  usePageTitle(title)
  return children
}

// The boot screen or the empty frame is visible while the first page loads.
const loading = { hydrateFallbackElement: <></> }

const contentOf = ({ label, title = label, load }: Page) => ({
  ...loading,
  lazy: async () => {
    const Content = await load()
    const element = (
      <Titled title={title}>
        <Content />
      </Titled>
    )
    return { element }
  },
})

const routeOfPage = (page: Page): RouteObject => ({ path: page.path, ...contentOf(page) })

/** The last part of the path is the name of the route. */
const routeOfPlace = (page: Page, section: Section): RouteObject => {
  const name = page.path.slice(section.path.length + 1)
  return { id: name, path: name, children: [{ index: true, ...contentOf(page) }] }
}

function routeOfSection(section: Section): RouteObject {
  const { path, title, pages: places } = section
  return {
    path,
    ...loading,
    lazy: async () => {
      const Content = await section.load()
      return { element: <Content {...{ path, title, places }} /> }
    },
    children: [
      ...places.slice(0, 1).map((first) => ({ index: true as const, ...contentOf(first) })),
      ...places.map((page) => routeOfPlace(page, section)),
    ],
  }
}

/** Pages of records and apps, whose titles are known only at run time. */
const late = (path: string, load: () => Promise<ComponentType>): RouteObject => ({
  path,
  ...loading,
  lazy: async () => ({ Component: await load() }),
})

/** The routes of all pages. Each page loads on its first visit, so that the frame does not contain it. */
export const routes: readonly RouteObject[] = [
  ...Object.values(pages).map(routeOfPage),
  routeOfSection(account),
  routeOfSection(settings),
  late('/orgs/:orgId', async () => (await import('./Organisation.tsx')).Organisation),
  // One route serves all apps.
  late('/app/:appId/*', async () => (await import('../extensions/AppPage.tsx')).AppPage),
]
