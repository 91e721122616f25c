import type { Project } from '@pult/contract'
import { useCredentials } from '#platform/use-credentials.ts'
import { lazy, Suspense } from 'react'
import { useStore } from '#platform/use-store.ts'
import { apps, isRootApp } from '../extensions/registry.ts'
import { texts } from './home.texts.ts'
import { NoApps } from './NoApps.tsx'
import { ProjectHeader } from './ProjectHeader.tsx'
import styles from './ProjectHome.module.css'

// The tiles' pictures are many; the frame comes without them.
const AppTiles = lazy(async () => ({ default: (await import('../extensions/AppTiles.tsx')).AppTiles }))

export function ProjectHome({ project }: { project: Project }) {
  const isOwner = useCredentials()._id === project.owner
  const shown = useStore(apps).filter((app) => !isRootApp(app))
  return (
    <div className={styles.home}>
      <ProjectHeader project={project} isOwner={isOwner} />
      <section aria-label={texts.apps}>
        {shown.length > 0 ? (
          <Suspense fallback={null}>
            <AppTiles apps={shown} label={texts.apps} />
          </Suspense>
        ) : (
          <NoApps isOwner={isOwner} />
        )}
      </section>
    </div>
  )
}
