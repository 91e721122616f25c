import { limits } from '@pult/contract'
import { Alert, Button, Card, TextField } from '@pult/ui'
import Plus from 'lucide-react/icons/plus'
import { type SubmitEvent, useState } from 'react'
import { passkeyObstacle } from '#platform/passkey-obstacle.ts'
import { deviceExample } from './device-example.ts'
import styles from './PasskeysPage.module.css'
import { texts } from './passkeys.texts.ts'
import { useRegistration } from './use-registration.ts'

/** Registers a passkey on this device, or explains why it cannot. */
export function RegisterPasskey() {
  const obstacle = passkeyObstacle()
  return (
    <Card title={texts.registration}>
      {obstacle === null ? (
        <RegistrationForm />
      ) : (
        <Alert tone="warning" title={texts.obstacles[obstacle].title}>
          {texts.obstacles[obstacle].text(location.origin)}
        </Alert>
      )}
    </Card>
  )
}

function RegistrationForm() {
  const [label, setLabel] = useState('')
  const { register, isPending, needsPress } = useRegistration()
  const entered = label.trim()
  const isTooShort = [...entered].length < limits.passkeyLabelMin

  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (!isTooShort && !isPending && (await register(entered))) setLabel('')
  }

  return (
    <form className={styles.registration} onSubmit={(event) => void submit(event)} noValidate>
      <TextField
        label={texts.deviceLabel}
        placeholder={deviceExample(navigator.userAgent)}
        name="device-label"
        autoComplete="off"
        maxLength={limits.passkeyLabelMax}
        description={isPending ? texts.follow : texts.deviceLabelHint}
        value={label}
        onChange={(event) => setLabel(event.target.value)}
      />
      <Button
        type="submit"
        variant="primary"
        icon={<Plus aria-hidden="true" />}
        disabled={isTooShort}
        pending={isPending}
        pendingLabel={texts.follow}
      >
        {needsPress ? texts.continue : texts.register}
      </Button>
      {needsPress && <Alert tone="info">{texts.oneMorePress}</Alert>}
    </form>
  )
}
