import { ConsoleHostProvider } from '@pult/sdk/host'
import { UiProvider } from '@pult/ui'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from 'react-router'
import { useConsoleHostValue } from '#platform/console-host.ts'
import { followCollections } from '#platform/live-collections.ts'
import { locale } from '#platform/locale.ts'
import { queryClient } from '#platform/query-client.ts'
import { LateToasts } from './LateToasts.tsx'
import { RecentSignIn } from './recent-sign-in/RecentSignIn.tsx'
import { router } from './router.tsx'

export { prefetchApp, runAppSteps } from './boot/app-steps.ts'

followCollections()

/** Everything a signed-in person sees, around the routes. */
export function Console() {
  return (
    <QueryClientProvider client={queryClient}>
      <UiProvider locale={locale} navigate={(href) => void router.navigate(href)}>
        <ConsoleHostProvider value={useConsoleHostValue()}>
          <RouterProvider router={router} />
          <RecentSignIn />
          <LateToasts />
        </ConsoleHostProvider>
      </UiProvider>
    </QueryClientProvider>
  )
}
