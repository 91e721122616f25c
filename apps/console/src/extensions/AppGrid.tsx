import { Awaited } from '@pult/ui'
import { lazy, type ReactNode, Suspense } from 'react'
import { useStore } from '#platform/use-store.ts'
import { apps, isRootApp } from './registry.ts'

// The tiles' icons are large, so they are not part of the frame.
const AppTiles = lazy(async () => ({ default: (await import('./AppTiles.tsx')).AppTiles }))

interface AppGridProps {
  label: string
  empty: ReactNode
  /** Second lines of the tiles by app. */
  facts?: ReadonlyMap<string, string>
}

/** The apps of the active project, or `empty` when it has none. */
export function AppGrid({ label, empty, facts }: AppGridProps) {
  const shown = useStore(apps).filter((app) => !isRootApp(app))
  if (shown.length === 0) return empty
  return (
    <Suspense fallback={<Awaited height="84px" />}>
      <AppTiles apps={shown} label={label} {...(facts && { facts })} />
    </Suspense>
  )
}
