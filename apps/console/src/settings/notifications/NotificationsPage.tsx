import { taskNotices } from '@pult/contract'
import { LoadingFailed } from '@pult/sdk/resource'
import { Card, PageHeader, Skeleton } from '@pult/ui'
import { usePageTitle } from '#platform/page-title.ts'
import { changeSettings, useSettings } from '../settings.queries.ts'
import { texts as settingsTexts } from '../settings.texts.ts'
import styles from './NotificationsPage.module.css'
import { texts } from './notifications.texts.ts'

const rows = taskNotices.map((notice) => ({
  notice,
  name: texts[notice],
  description: texts[`${notice}Text`],
}))

/** Each switch counts at once. */
export function NotificationsPage() {
  usePageTitle(texts.title)
  const { data: settings, error, refetch } = useSettings()
  return (
    <>
      <PageHeader title={texts.title} description={texts.description} />
      <Card title={texts.tasks} flush className={styles.card}>
        {settings !== undefined ? (
          <ul className={styles.switches}>
            {rows.map(({ notice, name, description }) => (
              <li key={notice}>
                <label className={styles.switch}>
                  <span className={styles.name}>{name}</span>
                  <span className={styles.description}>{description}</span>
                  <input
                    type="checkbox"
                    className={styles.input}
                    checked={settings.notifications[notice]}
                    onChange={({ target }) =>
                      void changeSettings({ notifications: { [notice]: target.checked } })
                    }
                  />
                </label>
              </li>
            ))}
          </ul>
        ) : error === null ? (
          <div className={styles.waiting} aria-busy="true">
            <Skeleton height="190px" />
          </div>
        ) : (
          <div className={styles.waiting}>
            <LoadingFailed title={settingsTexts.loadingFailed} error={error} onRetry={() => void refetch()} />
          </div>
        )}
      </Card>
    </>
  )
}
