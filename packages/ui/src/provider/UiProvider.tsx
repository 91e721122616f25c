import { createContext, type ReactNode, useContext, useMemo } from 'react'

export interface UiEnvironment {
  /** Goes to a path of this origin without loading a document. Without it, links load documents. */
  navigate?: ((href: string) => void) | undefined
  /** BCP 47 tag for the few words that React Aria says itself. Default: the browser's language. */
  locale?: string | undefined
}

const UiContext = createContext<UiEnvironment>({})

/** Connects links, menus and React Aria to the console's router and language. Put it once, around everything. */
export function UiProvider({ children, navigate, locale }: UiEnvironment & { children: ReactNode }) {
  const environment = useMemo(() => ({ navigate, locale }), [navigate, locale])
  return <UiContext value={environment}>{children}</UiContext>
}

export function useUiEnvironment(): UiEnvironment {
  return useContext(UiContext)
}
