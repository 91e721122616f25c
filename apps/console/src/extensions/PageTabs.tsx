import type { PageTabsProps } from '@pult/sdk'
import { useAppHost } from '@pult/sdk/host'
import { lazy, Suspense } from 'react'
import { useStore } from '#platform/use-store.ts'
import { pageTabsOf } from './page-tabs.ts'
import { apps } from './registry.ts'

// Most pages have no such tabs, so their code is not part of an app's frame.
const TabbedPage = lazy(async () => ({ default: (await import('./TabbedPage.tsx')).TabbedPage }))

/** The content of a page of an app, and beside it the tabs that apps add to it. */
export function PageTabs(props: PageTabsProps) {
  const { credentials, project } = useAppHost()
  const tabs = pageTabsOf(useStore(apps), props.page, credentials, project)
  if (tabs.length === 0) return <>{props.children}</>
  return (
    <Suspense fallback={null}>
      <TabbedPage {...props} tabs={tabs} />
    </Suspense>
  )
}
