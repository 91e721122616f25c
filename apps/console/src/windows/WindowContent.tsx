import { type ConsoleHost, ConsoleHostProvider, useConsoleHost } from '@pult/sdk/host'
import { UiProvider } from '@pult/ui'
import { memo, useEffect, useMemo, useRef, useState } from 'react'
import { createMemoryRouter, RouterProvider, useLocation, useParams } from 'react-router'
import { draftsIn } from '#platform/drafts.ts'
import { goTo } from '#platform/go-to.ts'
import { locale } from '#platform/locale.ts'
import { createTitle } from '#platform/page-title.ts'
import { withoutProject } from '#platform/project-address.ts'
import { DialogInput } from '#platform/unsaved-input/DialogInput.tsx'
import { LeaveGuard } from '#platform/unsaved-input/LeaveGuard.tsx'
import type { UnsavedInput } from '#platform/unsaved-input/unsaved-input.ts'
import { useStore } from '#platform/use-store.ts'
import { AppView } from '../extensions/AppView.tsx'
import { inProject } from '../extensions/app-address.ts'
import { apps, findApp } from '../extensions/registry.ts'
import { elementOf } from './window-focus.ts'
import { changeWindow } from './windows.ts'

interface WindowContentProps {
  appId: string
  /** The page of the app that a caller requested, below the app's path. */
  path: string
  input: UnsavedInput
  onTitle: (title: string) => void
}

/** An app in a window, with its own addresses, title and unsaved input (DEC-43). */
export const WindowContent = memo(function WindowContent(props: WindowContentProps) {
  const { appId, path, input, onTitle } = props
  const base = `/app/${appId}`
  const [router] = useState(() => {
    const created = createMemoryRouter(
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
        { path: '*', element: <Elsewhere back={() => void created.navigate(-1)} /> },
      ],
      { initialEntries: [`${base}/${path}`] },
    )
    // Links include the project, like those of the page, so that they work when copied or opened in a tab.
    const { createHref } = created
    created.createHref = (location) => inProject(createHref(location))
    return created
  })
  /** The last requested page, or the one to which the app has navigated since. */
  const known = useRef(path)
  useEffect(() => {
    if (path === known.current) return
    known.current = path
    void router.navigate(`${base}/${path}`)
  }, [router, base, path])
  useEffect(() => {
    const report = () => {
      const { pathname, search } = router.state.location
      if (!isWithin(base, pathname)) return
      known.current = pathname.slice(base.length + 1) + search
      changeWindow(appId, { path: known.current })
    }
    const stop = router.subscribe(report)
    // An app with loaded code has already redirected to its first page.
    report()
    return stop
  }, [router, base, appId])

  const follow = (href: string) => {
    const { pathname, search, hash } = new URL(href, location.origin)
    if (isWithin(base, pathname)) void router.navigate({ pathname, search: withoutProject(search), hash })
    else goTo(href)
  }
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
    const drafts = draftsIn(`window ${appId}`, outer.drafts)
    return { ...outer, claimTitle, holdUnsavedInput: input.hold, drafts, surface: appId }
  }, [outer, onTitle, input, appId])
  return (
    <UiProvider locale={locale} navigate={follow} addressOf={inProject}>
      <ConsoleHostProvider value={host}>
        <DialogInput input={input}>
          <RouterProvider router={router} />
        </DialogInput>
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
    // The focused element may have been removed with the previous page.
    if (document.activeElement === document.body && key !== 'default') elementOf(appId)?.focus()
  }, [appId, key])
  return app && <AppView app={app} header={null} />
}

/** Opens a link out of the app as a page. The window keeps its page. */
function Elsewhere({ back }: { back: () => void }) {
  const { pathname, search } = useLocation()
  useEffect(() => {
    goTo(pathname + search)
    back()
  }, [back, pathname, search])
  return null
}
