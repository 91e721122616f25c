import KeyRound from 'lucide-react/icons/key-round'
import RectangleEllipsis from 'lucide-react/icons/rectangle-ellipsis'
import { useEffect, useState } from 'react'
import { type PasskeyObstacle, passkeyObstacle } from '#platform/passkey-obstacle.ts'
import { useAttempt } from './attempt.ts'
import { useFocusOnMount } from './focus-on-mount.ts'
import { LoginFailure } from './LoginFailure.tsx'
import { MethodButton } from './MethodButton.tsx'
import styles from './Proof.module.css'
import { passkeyLogin } from './passkey.ts'
import { texts } from './proof.texts.ts'
import { loaded } from './proof.ts'
import { Username } from './Username.tsx'

const obstacles: Record<PasskeyObstacle, string> = {
  insecure: texts.passkeysNeedHttps,
  'no-host-name': texts.passkeysNeedHostName,
  unsupported: texts.passkeysUnsupported,
}

interface MethodStepProps {
  username: string
  onPassword: () => void
  onChangeUsername: () => void
  onToken: (token: string) => void
}

export function MethodStep({ username, onPassword, onChangeUsername, onToken }: MethodStepProps) {
  const first = useFocusOnMount<HTMLButtonElement>()
  const { pending, attempt } = useAttempt<'passkey'>()
  const obstacle = passkeyObstacle()
  const [failure, setFailure] = useState<unknown>(null)

  useEffect(() => {
    // Browsers require the prompt to follow closely on the click.
    passkeyLogin.load().catch(() => {})
  }, [])

  const choosePasskey = async () => {
    setFailure(null)
    const outcome = await attempt('passkey', async (signal) => {
      const { logInByPasskey } = await loaded(passkeyLogin)
      return logInByPasskey(username, signal)
    })
    if (outcome === null) return
    if ('error' in outcome) setFailure(outcome.error)
    else onToken(outcome.answer)
  }

  return (
    <>
      <h1>{texts.title}</h1>
      <Username username={username} onChange={onChangeUsername} />
      <h2 className={styles.question}>{texts.chooseMethod}</h2>
      <ul className={styles.methods}>
        <li>
          <MethodButton ref={first} icon={<RectangleEllipsis aria-hidden="true" />} onClick={onPassword}>
            {texts.password}
          </MethodButton>
        </li>
        <li>
          <MethodButton
            icon={<KeyRound aria-hidden="true" />}
            pending={pending === 'passkey'}
            obstacle={obstacle && obstacles[obstacle]}
            onClick={() => void choosePasskey()}
          >
            {texts.passkey}
          </MethodButton>
        </li>
      </ul>
      {pending === 'passkey' && (
        <p role="status" className={styles.instructions}>
          {texts.passkeyWaiting}
        </p>
      )}
      {failure !== null && <LoginFailure error={failure} />}
    </>
  )
}
