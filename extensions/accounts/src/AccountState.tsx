import { useCredentials } from '@pult/sdk'
import type { Account } from '@pult/sdk/api'
import { StatusDot } from '@pult/sdk/ui'
import styles from './accounts.module.css'
import { texts } from './accounts.texts.ts'

/** Whether an account may sign in, and what is special about it. */
export function AccountState({ account }: { account: Account }) {
  const { _id, isRoot, isDisabled, isLocked } = account
  const isOwn = useCredentials()._id === _id
  return (
    <span className={styles.states}>
      {isDisabled ? (
        <StatusDot status="neutral">{texts.disabled}</StatusDot>
      ) : isLocked ? (
        <StatusDot status="warning">{texts.locked}</StatusDot>
      ) : (
        <StatusDot status="success">{texts.active}</StatusDot>
      )}
      {isRoot && <StatusDot status="info">{texts.root}</StatusDot>}
      {isOwn && <span className={styles.mark}>{texts.you}</span>}
    </span>
  )
}
