import { EmptyState } from '@pult/ui'
import Blocks from 'lucide-react/icons/blocks'
import { AskForAccess } from '#platform/access/AskForAccess.tsx'
import { langOfGerman } from '#platform/locale.ts'
import { texts } from './home.texts.ts'
import styles from './NoApps.module.css'

/** An empty grid of apps: placeholder tiles and the steps that add apps. */
export function NoApps({ projectId, isOwner }: { projectId: string; isOwner: boolean }) {
  return (
    <div className={styles.area}>
      <div className={styles.places} aria-hidden="true">
        {Array.from({ length: 24 }, (_place, index) => (
          <span key={index} className={styles.place} />
        ))}
      </div>
      <div className={styles.message}>
        <EmptyState
          icon={<Blocks aria-hidden="true" />}
          {...(isOwner
            ? { title: texts.noAppsOwner, text: texts.noAppsOwnerText }
            : {
                title: <span lang={langOfGerman()}>{texts.noAppsOthers}</span>,
                action: <AskForAccess projectId={projectId} />,
              })}
        />
      </div>
    </div>
  )
}
