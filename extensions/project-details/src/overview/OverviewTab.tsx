import { usePageTitle, useProject } from '@pult/sdk'
import { texts } from '../project-details.texts.ts'
import { CheckCard } from './CheckCard.tsx'
import { DefaultCard } from './DefaultCard.tsx'
import { FactsCard } from './FactsCard.tsx'
import styles from './Overview.module.css'

/** Facts about the project, for every user who may open the app. */
export function OverviewTab() {
  const project = useProject()
  usePageTitle(texts.project)
  return (
    <div className={styles.overview}>
      <FactsCard project={project} />
      <div className={styles.side}>
        <CheckCard />
        <DefaultCard isDefault={project.isDefault} />
      </div>
    </div>
  )
}
