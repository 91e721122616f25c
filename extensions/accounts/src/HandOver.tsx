import { CopyButton, TextField } from '@pult/sdk/ui'
import styles from './accounts.module.css'
import { texts } from './accounts.texts.ts'

export interface Unsent {
  email: string
  link: string
}

/** Shows the invitation link. Without a mail server, the inviter must pass it on. */
export function HandOver({ email, link }: Unsent) {
  return (
    <div className={styles.handOver}>
      <p>
        <strong>{texts.handOver(email)}</strong>
        <br />
        {texts.handOverText}
      </p>
      <TextField
        label={texts.link}
        readOnly
        value={link}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <CopyButton text={link} copiedLabel={texts.copied} failedLabel={texts.copyFailed}>
        {texts.copy}
      </CopyButton>
    </div>
  )
}
