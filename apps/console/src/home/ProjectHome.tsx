import type { Project } from '@pult/contract'
import { useCredentials } from '#platform/use-credentials.ts'
import type { HomePageProps } from './HomePage.tsx'
import { texts } from './home.texts.ts'
import { NoApps } from './NoApps.tsx'
import { ProjectHeader } from './ProjectHeader.tsx'
import styles from './ProjectHome.module.css'

export function ProjectHome({ project, AppGrid }: { project: Project } & HomePageProps) {
  const isOwner = useCredentials()._id === project.owner
  return (
    <div className={styles.home}>
      <ProjectHeader project={project} isOwner={isOwner} />
      <section aria-label={texts.apps}>
        <AppGrid label={texts.apps} empty={<NoApps isOwner={isOwner} />} />
      </section>
    </div>
  )
}
