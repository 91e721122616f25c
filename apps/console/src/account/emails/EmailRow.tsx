import { formatInstant, StatusDot } from '@pult/ui'
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
          {email.verifiedAt === null
            ? texts.addedAt(formatInstant(email.createdAt))
            : texts.verifiedAt(formatInstant(email.verifiedAt))}
        </span>
      </div>
      {email.isDefault ? (
        <StatusDot status="success">{texts.isDefault}</StatusDot>
      ) : email.verifiedAt === null ? (
        <StatusDot status="warning">{texts.unverified}</StatusDot>
      ) : (
        <StatusDot status="success">{texts.verified}</StatusDot>
      )}
      {/* The default address can neither be removed nor made default again. */}
      {email.isDefault ? <span className={styles.noActions} /> : <EmailActions email={email} />}
    </li>
  )
}
