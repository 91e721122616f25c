import { DataCard, Link } from '@pult/ui'
import { ActivityList } from '#platform/desk/ActivityList.tsx'
import { texts } from '#platform/desk/desk.texts.ts'
import type { HomePartProps } from './home-part.ts'
import styles from './TasksCard.module.css'

/** Recent activity that the user may see. */
export function ActivityCard({ project, home, state, rights }: HomePartProps) {
  return (
    <DataCard
      flush
      title={texts.activityTitle}
      state={state}
      {...(rights.mayOpenAudit && {
        action: (
          <Link className={styles.all} href={`/app/audit?inProject=${project._id}`}>
            {texts.everything}
          </Link>
        ),
      })}
    >
      {home?.activity.length === 0 ? (
        <p className={styles.none}>{texts.home.quiet}</p>
      ) : (
        <ActivityList label={texts.activityTitle} entries={home?.activity ?? []} />
      )}
    </DataCard>
  )
}
