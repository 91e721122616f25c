import { lazy, type ReactNode, Suspense } from 'react'
import { useStore } from '#platform/use-store.ts'
import { apps, isRootApp } from './registry.ts'

// The tiles' pictures are many; the frame comes without them.
const AppTiles = lazy(async () => ({ default: (await import('./AppTiles.tsx')).AppTiles }))

/** The apps of the active project, or what is given in their place when there are none. */
export function AppGrid({ label, empty }: { label: string; empty: ReactNode }) {
  const shown = useStore(apps).filter((app) => !isRootApp(app))
  if (shown.length === 0) return empty
  return (
    <Suspense fallback={null}>
      <AppTiles apps={shown} label={label} />
    </Suspense>
  )
}
