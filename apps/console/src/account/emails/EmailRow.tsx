import { StateChip, TimeAgo } from '@pult/ui'
import { EmailActions } from './EmailActions.tsx'
import styles from './EmailsPage.module.css'
import type { ListedEmail } from './emails.queries.ts'
import { texts } from './emails.texts.ts'

export function EmailRow({ email }: { email: ListedEmail }) {
  return (
    <li className={styles.email}>
      <div className={styles.about}>
        <span className={styles.address}>{email.email}</span>
        <span className={styles.when}>
          {email.verifiedAt === null ? texts.addedAt : texts.verifiedAt}{' '}
          <TimeAgo at={email.verifiedAt ?? email.createdAt} />
        </span>
      </div>
      {email.isDefault ? (
        <StateChip plain status="ok">
          {texts.isDefault}
        </StateChip>
      ) : email.verifiedAt === null ? (
        <StateChip plain status="warning">
          {texts.unverified}
        </StateChip>
      ) : (
        <StateChip plain status="ok">
          {texts.verified}
        </StateChip>
      )}
      {/* The default address can neither be removed nor made default again. */}
      {email.isDefault ? <span className={styles.noActions} /> : <EmailActions email={email} />}
    </li>
  )
}
