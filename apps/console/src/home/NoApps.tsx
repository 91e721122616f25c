import { EmptyState } from '@pult/ui'
import Blocks from 'lucide-react/icons/blocks'
import { langOfGerman } from '#platform/locale.ts'
import { texts } from './home.texts.ts'
import styles from './NoApps.module.css'

/** An empty grid of apps: placeholder tiles and the steps that add apps. */
export function NoApps({ isOwner }: { isOwner: boolean }) {
  return (
    <div className={styles.area}>
      <div className={styles.places} aria-hidden="true">
        {Array.from({ length: 24 }, (_place, index) => (
          <span key={index} className={styles.place} />
        ))}
      </div>
      <div className={styles.message} lang={isOwner ? undefined : langOfGerman()}>
        <EmptyState
          icon={<Blocks aria-hidden="true" />}
          title={isOwner ? texts.noAppsOwner : texts.noAppsOthers}
          text={isOwner ? texts.noAppsOwnerText : texts.noAppsOthersText}
        />
      </div>
    </div>
  )
}
