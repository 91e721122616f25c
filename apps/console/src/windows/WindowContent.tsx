import { type ConsoleHost, ConsoleHostProvider, useConsoleHost } from '@pult/sdk/host'
import { UiProvider } from '@pult/ui'
import { memo, useEffect, useMemo, useState } from 'react'
import { createMemoryRouter, RouterProvider, useLocation, useParams } from 'react-router'
import { goTo } from '#platform/go-to.ts'
import { locale } from '#platform/locale.ts'
import { createTitle } from '#platform/page-title.ts'
import { LeaveGuard } from '#platform/unsaved-input/LeaveGuard.tsx'
import type { UnsavedInput } from '#platform/unsaved-input/unsaved-input.ts'
import { useStore } from '#platform/use-store.ts'
import { AppView } from '../extensions/AppView.tsx'
import { apps, findApp } from '../extensions/registry.ts'
import { elementOf } from './window-focus.ts'
import { changeWindow } from './windows.ts'

interface WindowContentProps {
  appId: string
  /** The page of the app, below its address, that is asked for from outside. */
  path: string
  input: UnsavedInput
  onTitle: (title: string) => void
}

/** An app in a window: its addresses are the window's own, and so are its title and what is not saved. */
export const WindowContent = memo(function WindowContent(props: WindowContentProps) {
  const { appId, path, input, onTitle } = props
  const base = `/app/${appId}`
  const [router] = useState(() =>
    createMemoryRouter(
      [
        {
          path: '/app/:appId/*',
          element: (
            <>
              <WindowedApp />
              <LeaveGuard input={input} />
            </>
          ),
        },
        { path: '*', element: <Elsewhere back={() => void router.navigate(-1)} /> },
      ],
      { initialEntries: [`${base}/${path}`] },
    ),
  )
  useEffect(() => {
    const pathNow = () => router.state.location.pathname.slice(base.length + 1) + router.state.location.search
    if (pathNow() !== path) void router.navigate(`${base}/${path}`)
    return router.subscribe(() => {
      if (router.state.location.pathname.startsWith(base)) changeWindow(appId, { path: pathNow() })
    })
  }, [router, base, path, appId])

  const follow = (href: string) => (isWithin(base, href) ? void router.navigate(href) : goTo(href))
  const outer = useConsoleHost()
  const host = useMemo((): ConsoleHost => {
    const claimTitle = createTitle((pushed) =>
      onTitle(
        pushed
          .toSorted((a, b) => b.depth - a.depth)
          .map(({ title }) => title)
          .join(' · '),
      ),
    )
    return { ...outer, claimTitle, holdUnsavedInput: input.hold, surface: appId }
  }, [outer, onTitle, input, appId])
  return (
    <UiProvider locale={locale} navigate={follow}>
      <ConsoleHostProvider value={host}>
        <RouterProvider router={router} />
      </ConsoleHostProvider>
    </UiProvider>
  )
})

const isWithin = (base: string, href: string) => href === base || href.startsWith(`${base}/`)

function WindowedApp() {
  const { appId = '' } = useParams()
  const app = findApp(useStore(apps), appId)
  const { key } = useLocation()
  useEffect(() => {
    // What had the focus may have gone with the page before.
    if (document.activeElement === document.body && key !== 'default') elementOf(appId)?.focus()
  }, [appId, key])
  return app && <AppView app={app} header={null} />
}

/** An app may lead out of itself: then the page goes there, and the window stays where it was. */
function Elsewhere({ back }: { back: () => void }) {
  const { pathname, search } = useLocation()
  useEffect(() => {
    goTo(pathname + search)
    back()
  }, [back, pathname, search])
  return null
}
