import { KnownUsername } from '@pult/ui'
import styles from './TokenLinks.module.css'
import { texts } from './token-links.texts.ts'

/** The address of the link, with which the user signs in, as text and as a field for password managers. */
export function AccountAddress({ email }: { email: string }) {
  return (
    <>
      <dl className={styles.fact}>
        <dt>{texts.email}</dt>
        <dd>{email}</dd>
      </dl>
      <KnownUsername value={email} />
    </>
  )
}
