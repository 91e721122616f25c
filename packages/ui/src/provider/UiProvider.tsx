import { createContext, type ReactNode, useContext, useEffect, useMemo } from 'react'
import { secondClock } from '../time/second-clock.ts'

export interface UiEnvironment {
  /** Navigates to a path of this origin without loading a document. Without it, links load documents. */
  navigate?: ((href: string) => void) | undefined
  /** Maps a path to the `href` of links. Default: the path itself. */
  addressOf?: ((href: string) => string) | undefined
  /** BCP 47 tag for React Aria's own texts. Default: the browser's language. */
  locale?: string | undefined
}

const UiContext = createContext<UiEnvironment>({})

export interface UiProviderProps extends UiEnvironment {
  /** Milliseconds that relative times add to this computer's clock, such as its lag behind the server. Page-wide. */
  clockOffset?: number | undefined
  children: ReactNode
}

/** Connects links, menus and React Aria to the console's router and language. Render it once, around the whole app. */
export function UiProvider({ children, navigate, addressOf, locale, clockOffset }: UiProviderProps) {
  useEffect(() => {
    if (clockOffset !== undefined) secondClock.correct(clockOffset)
  }, [clockOffset])
  const environment = useMemo(() => ({ navigate, addressOf, locale }), [navigate, addressOf, locale])
  return <UiContext value={environment}>{children}</UiContext>
}

export function useUiEnvironment(): UiEnvironment {
  return useContext(UiContext)
}
