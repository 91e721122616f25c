import { type ComponentType, createElement, useEffect, useState } from 'react'
import { notify } from '#platform/notify.ts'
import { type Overlay, overlay } from '#platform/overlay.ts'
import { useStore } from '#platform/use-store.ts'
import { texts } from './shell.texts.ts'

interface OverlayProps {
  onClose: () => void
}

const loaders: Record<Overlay, () => Promise<ComponentType<OverlayProps>>> = {
  palette: async () => (await import('../palette/Palette.tsx')).Palette,
  logout: async () => (await import('./LogOutDialog.tsx')).LogOutDialog,
  project: async () => (await import('../projects/OpenProjectDialog.tsx')).OpenProjectDialog,
  access: async () => (await import('#platform/access/AskDialog.tsx')).AskDialog,
  shortcuts: async () => (await import('../shortcuts/ShortcutsDialog.tsx')).ShortcutsDialog,
}

/** Closes the named overlay only: browsers fire the close event late, and another overlay may have opened since. */
const close = (name: Overlay) => {
  if (overlay.get() === name) overlay.set(null)
}

/**
 * The command palette, the list of shortcuts, "Ask for access" and the confirmations of a logout and of a project
 * switch. The code of each loads on first use.
 */
export function Overlays() {
  const requested = useStore(overlay)
  const [loaded, setLoaded] = useState<Partial<Record<Overlay, ComponentType<OverlayProps>>>>({})
  useEffect(() => {
    if (requested === null) return
    loaders[requested]().then(
      (Overlay) => setLoaded((all) => ({ ...all, [requested]: Overlay })),
      (error: unknown) => {
        close(requested)
        notify.error(texts.overlayFailed, error)
      },
    )
  }, [requested])
  const Shown = requested && loaded[requested]
  return Shown && createElement(Shown, { onClose: () => close(requested) })
}
