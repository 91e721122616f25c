import { Button, inOneUnit, StateChip } from '@pult/ui'
import type { ReactNode } from 'react'
import { build } from '#platform/build.ts'
import { serverBuild } from '#platform/realtime.ts'
import { serverIsAhead } from '#platform/server-clock.ts'
import { useStore } from '#platform/use-store.ts'
import { hasNewerExtensions } from '../extensions/follow-extensions.ts'
import { safeMode } from '../extensions/fragments.ts'
import styles from './ShellNotice.module.css'
import { texts } from './shell.texts.ts'
import { useConnectionTrouble } from './use-connection-trouble.ts'

/**
 * A status line about the page: no connection, a newer build of the console or its apps, safe mode, or a wrong clock.
 */
export function ShellNotice() {
  return (
    <div className={styles.notice} role="status">
      <Notice />
    </div>
  )
}

function Notice() {
  const trouble = useConnectionTrouble()
  const newest = useStore(serverBuild)
  const isOutdated = newest !== null && newest.timestamp > build.timestamp && build.timestamp !== ''
  const areAppsOutdated = useStore(hasNewerExtensions)
  const isSafeMode = useStore(safeMode)
  const ahead = useStore(serverIsAhead)
  if (trouble !== null)
    return (
      <StateChip plain status="warning">
        {texts[trouble]}
      </StateChip>
    )
  if (isOutdated || areAppsOutdated) {
    return (
      <WithButton label={texts.reload} onClick={() => location.reload()}>
        <StateChip plain status="info">
          {isOutdated ? texts.newBuild : texts.newApps}
        </StateChip>
      </WithButton>
    )
  }
  if (!isSafeMode) return ahead === 0 ? null : <WrongClock ahead={ahead} />
  return (
    <WithButton label={texts.leaveSafeMode} onClick={() => location.assign('/')}>
      <StateChip plain status="warning">
        {texts.safeMode}
      </StateChip>
    </WithButton>
  )
}

function WrongClock({ ahead }: { ahead: number }) {
  const difference = inOneUnit(Math.abs(ahead))
  return (
    <StateChip plain status="warning">
      {ahead > 0 ? texts.clockBehind(difference) : texts.clockAhead(difference)}
    </StateChip>
  )
}

function WithButton({
  label,
  onClick,
  children,
}: {
  label: string
  onClick: () => void
  children: ReactNode
}) {
  return (
    <>
      {children}
      <Button className={styles.reload} onClick={onClick}>
        {label}
      </Button>
    </>
  )
}
