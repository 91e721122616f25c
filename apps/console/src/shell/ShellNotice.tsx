import { Button, ButtonLink, inOneUnit, StateChip } from '@pult/ui'
import type { ReactNode } from 'react'
import { build } from '#platform/build.ts'
import { isProxySignInDue } from '#platform/foreign-answer.ts'
import { publicPlace } from '#platform/public-url.ts'
import { serverBuild } from '#platform/realtime.ts'
import { serverIsAhead } from '#platform/server-clock.ts'
import { openDocument } from '#platform/storage.ts'
import { useCredentials } from '#platform/use-credentials.ts'
import { useStore } from '#platform/use-store.ts'
import { safeMode } from '../extensions/fragments.ts'
import { newerExtensions } from '../extensions/registry.ts'
import styles from './ShellNotice.module.css'
import { texts } from './shell.texts.ts'
import { useConnectionTrouble } from './use-connection-trouble.ts'
import { useUnattendedReload } from './use-unattended-reload.ts'

/**
 * A status line about the page: an ended session with a proxy, no connection, another address than the public one, a
 * newer build of the console or its apps, safe mode, or a wrong clock.
 */
export function ShellNotice() {
  return (
    <div className={styles.notice} role="status">
      <Notice />
    </div>
  )
}

function Notice() {
  const isSignInDue = useStore(isProxySignInDue)
  const trouble = useConnectionTrouble()
  const newest = useStore(serverBuild)
  const isOutdated = newest !== null && newest.timestamp > build.timestamp && build.timestamp !== ''
  const areAppsOutdated = useStore(newerExtensions).size > 0
  useUnattendedReload(isOutdated || areAppsOutdated)
  const isSafeMode = useStore(safeMode)
  const ahead = useStore(serverIsAhead)
  if (isSignInDue)
    return (
      <WithButton label={texts.reload} onClick={() => openDocument()}>
        <StateChip plain status="warning">
          {texts.proxySignIn}
        </StateChip>
      </WithButton>
    )
  if (trouble !== null && publicPlace !== null) return <OtherAddress place={publicPlace} />
  if (trouble !== null)
    return (
      <StateChip plain status="warning">
        {texts[trouble]}
      </StateChip>
    )
  if (isOutdated || areAppsOutdated) {
    return (
      <WithButton label={texts.reload} onClick={() => openDocument()}>
        <StateChip plain status="info">
          {isOutdated ? texts.newBuild : texts.newApps}
        </StateChip>
      </WithButton>
    )
  }
  if (!isSafeMode) return ahead === 0 ? null : <WrongClock ahead={ahead} />
  return (
    <WithButton label={texts.leaveSafeMode} onClick={() => openDocument('/')}>
      <StateChip plain status="warning">
        {texts.safeMode}
      </StateChip>
    </WithButton>
  )
}

/** The server refuses live connections from pages of another address. */
function OtherAddress({ place }: { place: URL }) {
  const { isRoot } = useCredentials()
  return (
    <>
      <StateChip plain status="warning">
        {isRoot ? texts.notLiveForRoot('PULT_URL') : texts.notLiveHere}
      </StateChip>
      <ButtonLink className={styles.reload} href={place.href}>
        {texts.openPlace(place.host)}
      </ButtonLink>
    </>
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
