import { StateChip, TimeAgo } from '@pult/ui'
import { EmailActions, ResendButton } from './EmailActions.tsx'
import styles from './EmailsPage.module.css'
import type { ListedEmail } from './emails.queries.ts'
import { texts } from './emails.texts.ts'

export function EmailRow({ email }: { email: ListedEmail }) {
  const isVerified = email.verifiedAt !== null
  return (
    <li className={styles.email}>
      <div className={styles.about}>
        <span className={styles.address}>{email.email}</span>
        <span className={styles.when}>
          {isVerified ? texts.verifiedAt : texts.addedAt} <TimeAgo at={email.verifiedAt ?? email.createdAt} />
        </span>
      </div>
      <StateChip plain status={isVerified ? 'ok' : 'warning'}>
        {stateOf(email)}
      </StateChip>
      {/* The default address can neither be removed nor made default again. */}
      {!email.isDefault ? (
        <EmailActions email={email} />
      ) : isVerified ? (
        <span className={styles.noActions} />
      ) : (
        <ResendButton email={email} />
      )}
    </li>
  )
}

function stateOf({ isDefault, verifiedAt }: ListedEmail): string {
  if (verifiedAt !== null) return isDefault ? texts.isDefault : texts.verified
  return isDefault ? `${texts.isDefault} · ${texts.unverified}` : texts.unverified
}
