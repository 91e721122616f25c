import { Loaded } from '@pult/sdk/resource'
import { keepFocus } from '@pult/sdk/ui'
import { Card, PageHead } from '@pult/ui'
import { EmailForm } from '#platform/EmailForm.tsx'
import { notify } from '#platform/notify.ts'
import { EmailRow } from './EmailRow.tsx'
import styles from './EmailsPage.module.css'
import { useAddEmail, useEmails } from './emails.queries.ts'
import { texts } from './emails.texts.ts'

/** The user's addresses: each confirmed one can be used to sign in, and mails go to the default one. */
export function EmailsPage() {
  const add = useAddEmail()
  const emails = useEmails()
  return (
    <>
      <PageHead title={texts.title} text={texts.description} />
      <Card ref={keepFocus} tabIndex={-1} className={styles.list} aria-label={texts.title} flush>
        <Loaded query={emails} failed={texts.loadingFailed}>
          {({ items }) => (
            <ul className={styles.emails}>
              {items.map((email) => (
                <EmailRow
                  key={email._id}
                  email={{ ...email, resendAt: emails.dataUpdatedAt + email.resendIn * 1000 }}
                />
              ))}
            </ul>
          )}
        </Loaded>
        <div className={styles.add}>
          <EmailForm
            label={texts.newEmail}
            name="new-email"
            autoComplete="email"
            action={texts.add}
            pendingLabel={texts.adding}
            failed={texts.addingFailed}
            atField={['EMAIL_ADDED_ALREADY']}
            send={add}
            onSent={() => notify.success(texts.added)}
          />
        </div>
      </Card>
    </>
  )
}
