import { LoadingFailed } from '@pult/sdk/resource'
import { keepFocus } from '@pult/sdk/ui'
import { Card, PageHeader, Skeleton } from '@pult/ui'
import { usePageTitle } from '#platform/page-title.ts'
import { AddEmail } from './AddEmail.tsx'
import { EmailRow } from './EmailRow.tsx'
import styles from './EmailsPage.module.css'
import { useEmails } from './emails.queries.ts'
import { texts } from './emails.texts.ts'

/** The own addresses: by any that is confirmed one signs in, to the default one mails go. */
export function EmailsPage() {
  usePageTitle(texts.title)
  const { data: emails, error, refetch } = useEmails()
  return (
    <>
      <PageHeader title={texts.title} description={texts.description} />
      <Card ref={keepFocus} tabIndex={-1} className={styles.list} aria-label={texts.title} flush>
        {emails !== undefined ? (
          <ul className={styles.emails}>
            {emails.map((email) => (
              <EmailRow key={email._id} email={email} />
            ))}
          </ul>
        ) : error === null ? (
          <div className={styles.waiting} aria-busy="true">
            <Skeleton height="38px" />
          </div>
        ) : (
          <div className={styles.waiting}>
            <LoadingFailed title={texts.loadingFailed} error={error} onRetry={() => void refetch()} />
          </div>
        )}
        <AddEmail />
      </Card>
    </>
  )
}
