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
  shortcuts: async () => (await import('../shortcuts/ShortcutsDialog.tsx')).ShortcutsDialog,
}

/** Not what has opened meanwhile: browsers tell late that a dialog was closed. */
const close = (name: Overlay) => {
  if (overlay.get() === name) overlay.set(null)
}

/** The command palette and the list of shortcuts: their code is fetched when somebody asks for one. */
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
