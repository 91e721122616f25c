import { useCredentials } from '@pult/sdk'
import type { Account } from '@pult/sdk/api/root'
import { StateChip } from '@pult/sdk/ui'
import styles from './accounts.module.css'
import { texts } from './accounts.texts.ts'

/** Shows whether an account may sign in, and its special states. */
export function AccountState({ account }: { account: Account }) {
  const { _id, isRoot, isDisabled, isLocked, isEmailVerified } = account
  const isOwn = useCredentials()._id === _id
  return (
    <span className={styles.states}>
      {isDisabled ? (
        <StateChip plain status="stopped">
          {texts.disabled}
        </StateChip>
      ) : isLocked ? (
        <StateChip plain status="warning">
          {texts.locked}
        </StateChip>
      ) : (
        <StateChip plain status="ok">
          {texts.active}
        </StateChip>
      )}
      {!isEmailVerified && (
        <StateChip plain status="warning">
          {texts.emailNotVerified}
        </StateChip>
      )}
      {isRoot && (
        <StateChip plain status="info">
          {texts.root}
        </StateChip>
      )}
      {isOwn && <span className={styles.mark}>{texts.you}</span>}
    </span>
  )
}
