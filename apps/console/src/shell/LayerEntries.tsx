import { type ReactNode, useEffect } from 'react'
import { useArrowKeys } from '#platform/arrow-keys.ts'

/** The entries of a layer. The first one takes the focus, the arrow keys move it. */
export function LayerEntries({ children }: { children: ReactNode }) {
  const entries = useArrowKeys<HTMLDivElement>()
  useEffect(() => {
    entries.current?.querySelector<HTMLElement>('a, button')?.focus({ preventScroll: true })
  }, [entries])
  return <div ref={entries}>{children}</div>
}
