import { Alert, Button, Card } from '@pult/ui'
import { RecoveryCodes } from '#platform/recovery-codes/RecoveryCodes.tsx'
import { useCredentials } from '#platform/use-credentials.ts'
import styles from './OtpPage.module.css'
import { texts } from './otp.texts.ts'

interface NewRecoveryCodesProps {
  codes: readonly string[]
  onDone: () => void
}

export function NewRecoveryCodes({ codes, onDone }: NewRecoveryCodesProps) {
  const { email } = useCredentials()
  return (
    <Card title={texts.newCodes}>
      <div className={styles.newCodes}>
        <Alert tone="warning">{texts.newCodesWarning}</Alert>
        <RecoveryCodes codes={codes} account={email} />
        <Button variant="primary" onClick={onDone}>
          {texts.done}
        </Button>
      </div>
    </Card>
  )
}
