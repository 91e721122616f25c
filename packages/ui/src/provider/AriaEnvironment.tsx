import type { ReactNode } from 'react'
import { I18nProvider, RouterProvider } from 'react-aria-components'
import { writtenLocale } from '../text/page-locale.ts'
import { useUiEnvironment } from './UiProvider.tsx'

// Each component built on React Aria mounts it, instead of UiProvider, so that a page without such a component
// (sign-in) loads nothing of React Aria.
export function AriaEnvironment({ children }: { children: ReactNode }) {
  const { navigate = openDocument, addressOf, locale } = useUiEnvironment()
  const localized =
    locale === undefined ? children : <I18nProvider locale={writtenLocale(locale)}>{children}</I18nProvider>
  return (
    <RouterProvider navigate={navigate} {...(addressOf && { useHref: addressOf })}>
      {localized}
    </RouterProvider>
  )
}

function openDocument(href: string) {
  window.location.assign(href)
}
