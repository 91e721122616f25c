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
 * The command palette, the list of shortcuts, "Ask for access" and the questions before a logout and before another project. Each one's
 * code is loaded on first use.
 */
export function Overlays() {
  const wanted = useStore(overlay)
  const [loaded, setLoaded] = useState<Partial<Record<Overlay, ComponentType<OverlayProps>>>>({})
  useEffect(() => {
    if (wanted === null) return
    loaders[wanted]().then(
      (Overlay) => setLoaded((all) => ({ ...all, [wanted]: Overlay })),
      (error: unknown) => {
        close(wanted)
        notify.error(texts.overlayFailed, error)
      },
    )
  }, [wanted])
  const Shown = wanted && loaded[wanted]
  return Shown && createElement(Shown, { onClose: () => close(wanted) })
}
