import { MenuTrigger } from '@pult/ui'
import { type ReactElement, useEffect, useState } from 'react'
import type { MenuButton } from './LazyMenu.tsx'

/**
 * A menu that opens when it appears. Its button stands in for one that had the focus, so it takes the focus first: the
 * closing menu gives it back to where it was a moment before.
 */
export function OpeningMenu({
  button: MenuButton,
  children,
}: {
  button: MenuButton
  children: ReactElement
}) {
  const [open, setOpen] = useState(false)
  useEffect(() => {
    const frame = requestAnimationFrame(() => setOpen(true))
    return () => cancelAnimationFrame(frame)
  }, [])
  return (
    <MenuTrigger open={open} onOpenChange={setOpen}>
      <MenuButton autoFocus />
      {children}
    </MenuTrigger>
  )
}
