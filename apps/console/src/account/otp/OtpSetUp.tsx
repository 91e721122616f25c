import type { OtpEnrolment } from '@pult/contract'
import { Alert, Card, CopyButton, Link } from '@pult/ui'
import type { ReactNode } from 'react'
import { QrCode } from '#platform/qr/QrCode.tsx'
import { RecoveryCodes } from '#platform/recovery-codes/RecoveryCodes.tsx'
import { useCredentials } from '#platform/use-credentials.ts'
import { Activation } from './Activation.tsx'
import styles from './OtpSetUp.module.css'
import { texts } from './otp.texts.ts'
import { inGroups, secretOf } from './secret-of.ts'

interface OtpSetUpProps {
  enrolment: OtpEnrolment
  /** Called when the enrolment is active, cancelled or no longer valid. */
  onEnd: () => void
}

/** The steps from the secret to its first code. The account does not change until that code is correct. */
export function OtpSetUp({ enrolment: { otpAuthUrl, recoveryCodes }, onEnd }: OtpSetUpProps) {
  const { email } = useCredentials()
  const secret = secretOf(otpAuthUrl)
  return (
    <Card title={texts.setUp}>
      <Alert tone="info">{texts.nothingYet}</Alert>
      <ol className={styles.steps}>
        <Step title={texts.scan}>
          <div className={styles.scan}>
            <QrCode text={otpAuthUrl} label={texts.qrCode} />
            <div className={styles.beside}>
              <p className={styles.text}>{texts.scanText}</p>
              {/* A phone cannot scan itself. */}
              <Link className={styles.openApp} href={otpAuthUrl}>
                {texts.openApp}
              </Link>
              <div>
                <p className={styles.secretLabel} id="otp-secret">
                  {texts.secret}
                </p>
                <code className={styles.secret} aria-labelledby="otp-secret">
                  {inGroups(secret)}
                </code>
              </div>
              <CopyButton text={secret} copiedLabel={texts.copied} failedLabel={texts.copyFailed}>
                {texts.copySecret}
              </CopyButton>
            </div>
          </div>
        </Step>
        <Step title={texts.keep}>
          <p className={styles.text}>{texts.keepText}</p>
          <RecoveryCodes codes={recoveryCodes} account={email} />
        </Step>
        <Step title={texts.prove}>
          <Activation onEnd={onEnd} />
        </Step>
      </ol>
    </Card>
  )
}

function Step({ title, children }: { title: string; children: ReactNode }) {
  return (
    <li className={styles.step}>
      <h3>{title}</h3>
      {children}
    </li>
  )
}
