import { Button, StatusDot } from '@pult/ui'
import { build } from '#platform/build.ts'
import { serverBuild } from '#platform/realtime.ts'
import { useStore } from '#platform/use-store.ts'
import styles from './ShellNotice.module.css'
import { texts } from './shell.texts.ts'
import { useConnectionTrouble } from './use-connection-trouble.ts'

/** One calm line about the state of the page itself: no connection, or a newer build than the one that is shown. */
export function ShellNotice() {
  const trouble = useConnectionTrouble()
  const newest = useStore(serverBuild)
  const isOutdated = newest !== null && newest.timestamp > build.timestamp && build.timestamp !== ''
  return (
    <div className={styles.notice} role="status">
      {trouble !== null && <StatusDot status="warning">{texts[trouble]}</StatusDot>}
      {trouble === null && isOutdated && (
        <>
          <StatusDot status="info">{texts.newBuild}</StatusDot>
          <Button className={styles.reload} onClick={() => location.reload()}>
            {texts.reload}
          </Button>
        </>
      )}
    </div>
  )
}
