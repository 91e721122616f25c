import { ConsoleHostProvider } from '@pult/sdk/host'
import { UiProvider } from '@pult/ui'
import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect } from 'react'
import { RouterProvider } from 'react-router'
import { useConsoleHostValue } from '#platform/console-host.ts'
import { followFileLinks } from '#platform/file-links.ts'
import { isStorageFull } from '#platform/full-storage.ts'
import { goTo, setNavigation } from '#platform/go-to.ts'
import { keepComposing } from '#platform/keep-composing.ts'
import { followCollections } from '#platform/live-collections.ts'
import { isCatalogueMissing, locale } from '#platform/locale.ts'
import { notify } from '#platform/notify.ts'
import { texts } from '#platform/platform.texts.ts'
import { queryClient } from '#platform/query-client.ts'
import { serverIsAhead } from '#platform/server-clock.ts'
import { isSessionInMemory, isStorageBlocked, storage } from '#platform/storage.ts'
import { texts as toastTexts } from '#platform/toasts.texts.ts'
import { followTranslator } from '#platform/translated-text.ts'
import { DialogInput } from '#platform/unsaved-input/DialogInput.tsx'
import { pageInput } from '#platform/unsaved-input/unsaved-input.ts'
import { useStore } from '#platform/use-store.ts'
import { boot } from './boot/start.ts'
import { inProject } from './extensions/app-address.ts'
import { followExtensions } from './extensions/follow-extensions.ts'
import { followNavigationStates } from './extensions/navigation-states.ts'
import { LateParts } from './LateParts.tsx'
import { RecentSignIn } from './recent-sign-in/RecentSignIn.tsx'
import { router } from './router.tsx'

export { runAppSteps } from './boot/app-steps.ts'
export { readStart } from './boot/read-start.ts'

if (isCatalogueMissing) notify.warning(texts.languageNotLoaded)

setNavigation((href) => void router.navigate(href))
followTranslator()
// The sign-in page has no shortcuts.
keepComposing()

/** Reports once that the browser does not store what this page has. */
function warnOfStorage(): void {
  if (!isStorageBlocked() || storage.blockedNotice.read() !== null) return
  storage.blockedNotice.write('shown')
  notify.warning(
    isStorageFull() ? toastTexts.storageFull : toastTexts.storageBlocked,
    isSessionInMemory() ? toastTexts.sessionInMemory : toastTexts.draftsInMemory,
  )
}

/** Time until the frame is drawn, at any refresh rate. Milliseconds. */
const firstFrame = 50

/** The signed-in console around the routes. */
export function Console() {
  const isSeen = useStore(boot.phase) === 'done'
  const clockOffset = useStore(serverIsAhead)
  // This code is loaded before the sign-in, which writes the session.
  useEffect(warnOfStorage, [])
  // Refetches the start's data when the console becomes visible, because it may have changed since the start.
  useEffect(() => {
    if (!isSeen) return undefined
    let stops: (() => void)[] = []
    const timer = setTimeout(() => {
      stops = [followCollections(), followExtensions(), followNavigationStates(), followFileLinks()]
    }, firstFrame)
    return () => {
      clearTimeout(timer)
      for (const stop of stops) stop()
    }
  }, [isSeen])
  return (
    <QueryClientProvider client={queryClient}>
      <UiProvider locale={locale} navigate={goTo} addressOf={inProject} clockOffset={clockOffset}>
        <ConsoleHostProvider value={useConsoleHostValue()}>
          <DialogInput input={pageInput}>
            <RouterProvider router={router} />
            <RecentSignIn />
            <LateParts />
          </DialogInput>
        </ConsoleHostProvider>
      </UiProvider>
    </QueryClientProvider>
  )
}
