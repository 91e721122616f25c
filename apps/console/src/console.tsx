import { ConsoleHostProvider } from '@pult/sdk/host'
import { UiProvider } from '@pult/ui'
import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect } from 'react'
import { RouterProvider } from 'react-router'
import { useConsoleHostValue } from '#platform/console-host.ts'
import { goTo, setNavigation } from '#platform/go-to.ts'
import { followCollections } from '#platform/live-collections.ts'
import { isCatalogueMissing, locale } from '#platform/locale.ts'
import { notify } from '#platform/notify.ts'
import { texts } from '#platform/platform.texts.ts'
import { queryClient } from '#platform/query-client.ts'
import { useStore } from '#platform/use-store.ts'
import { boot } from './boot/start.ts'
import { followExtensions } from './extensions/follow-extensions.ts'
import { LateParts } from './LateParts.tsx'
import { RecentSignIn } from './recent-sign-in/RecentSignIn.tsx'
import { router } from './router.tsx'

export { followLanguageAhead, prefetchApp, runAppSteps } from './boot/app-steps.ts'
export { preloadEntries } from './extensions/load-extension.ts'

if (isCatalogueMissing) notify.warning(texts.languageNotLoaded)

setNavigation((href) => void router.navigate(href))

/** Until it is drawn, whatever the screen's rate. Milliseconds. */
const firstFrame = 50

/** Everything a signed-in person sees, around the routes. */
export function Console() {
  const isSeen = useStore(boot.phase) === 'done'
  // From the moment on that it is seen: what the start has read is read once more then, in case it has changed.
  useEffect(() => {
    if (!isSeen) return undefined
    let stops: (() => void)[] = []
    const timer = setTimeout(() => {
      stops = [followCollections(), followExtensions()]
    }, firstFrame)
    return () => {
      clearTimeout(timer)
      for (const stop of stops) stop()
    }
  }, [isSeen])
  return (
    <QueryClientProvider client={queryClient}>
      <UiProvider locale={locale} navigate={goTo}>
        <ConsoleHostProvider value={useConsoleHostValue()}>
          <RouterProvider router={router} />
          <RecentSignIn />
          <LateParts />
        </ConsoleHostProvider>
      </UiProvider>
    </QueryClientProvider>
  )
}
