import type { SessionRecord } from '@pult/contract'
import { Button, StateChip, TimeAgo } from '@pult/ui'
import Monitor from 'lucide-react/icons/monitor'
import Smartphone from 'lucide-react/icons/smartphone'
import SquareTerminal from 'lucide-react/icons/square-terminal'
import { deviceOf } from '#platform/device-name.ts'
import { notify } from '#platform/notify.ts'
import styles from './SessionsPage.module.css'
import { useEndSession } from './sessions.queries.ts'
import { texts } from './sessions.texts.ts'

export function SessionRow({ session }: { session: SessionRecord }) {
  const { mutateAsync: end, isPending } = useEndSession()
  const name = nameOf(session.userAgent)

  const endSession = async () => {
    try {
      await end(session._id)
      notify.success(texts.ended)
    } catch (error) {
      notify.error(texts.endingFailed, error)
    }
  }

  return (
    <li className={styles.session}>
      <DeviceIcon userAgent={session.userAgent} />
      <div className={styles.device}>
        <span className={styles.name} title={session.userAgent}>
          {name}
        </span>
        <span className={styles.facts}>
          {session.address} · {texts.lastSeen} <TimeAgo at={session.lastSeenAt} /> · {texts.signedIn}{' '}
          <TimeAgo at={session.createdAt} />
        </span>
      </div>
      {session.isCurrent ? (
        <StateChip plain status="ok">
          {texts.thisSession}
        </StateChip>
      ) : (
        <Button aria-label={texts.endOf(name)} pending={isPending} onClick={() => void endSession()}>
          {texts.end}
        </Button>
      )}
    </li>
  )
}

function nameOf(userAgent: string): string {
  const device = deviceOf(userAgent)
  if (device === null) return userAgent === '' ? texts.unknownDevice : userAgent
  const { browser, system } = device
  if (browser !== null && system !== null) return texts.on(browser, system)
  return browser ?? system ?? texts.unknownDevice
}

const handhelds = new Set<string | null>(['iPhone', 'iPad', 'Android'])

function DeviceIcon({ userAgent }: { userAgent: string }) {
  const device = deviceOf(userAgent)
  const Icon = device === null ? SquareTerminal : handhelds.has(device.system) ? Smartphone : Monitor
  return <Icon className={styles.icon} aria-hidden="true" />
}
