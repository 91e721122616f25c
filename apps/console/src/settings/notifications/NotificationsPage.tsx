import { taskNoticeScopes, taskNotices } from '@pult/contract'
import { LoadingFailed } from '@pult/sdk/resource'
import { Awaited, Card, PageHead } from '@pult/ui'
import { Choice } from '../Choice.tsx'
import { changeSettings, useSettings } from '../settings.queries.ts'
import { texts as settingsTexts } from '../settings.texts.ts'
import styles from './NotificationsPage.module.css'
import { texts } from './notifications.texts.ts'

const rows = taskNotices.map((notice) => ({
  notice,
  name: texts[notice],
  description: texts[`${notice}Text`],
}))

const scopes = taskNoticeScopes.map((value) => ({
  value,
  label: texts[value],
  description: texts[`${value}Text`],
}))

/** The notification settings. Changes take effect immediately and are stored in the account. */
export function NotificationsPage() {
  const { data: settings, error, refetch } = useSettings()
  return (
    <>
      <PageHead title={texts.title} text={texts.description} />
      {settings !== undefined && (
        <Card>
          <Choice
            label={texts.scope}
            name="task-notice-scope"
            value={settings.taskNoticeScope}
            options={scopes}
            onChange={(scope) => void changeSettings({ taskNoticeScope: scope })}
          />
        </Card>
      )}
      <Card title={texts.tasks} flush>
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
          <Awaited className={styles.waiting} height="190px" />
        ) : (
          <div className={styles.waiting}>
            <LoadingFailed title={settingsTexts.loadingFailed} error={error} onRetry={() => void refetch()} />
          </div>
        )}
      </Card>
    </>
  )
}
