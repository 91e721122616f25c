import { Alert } from '@pult/ui'
import { useState } from 'react'
import { usePageTitle } from '#platform/page-title.ts'
import styles from './Login.module.css'
import { texts } from './login.texts.ts'
import { MethodStep } from './MethodStep.tsx'
import { PasswordStep } from './PasswordStep.tsx'
import { UsernameStep } from './UsernameStep.tsx'

export interface LoginProps {
  /** Why the login is shown, when that may come as a surprise. */
  notice: string | null
  /** Filled in already; the person may change it. */
  knownUsername?: string | undefined
  /** The person is on the way in, so what comes after the login can be fetched. */
  onUsername?: (() => void) | undefined
  /** The person has signed in. */
  onToken: (token: string) => void
}

type Step = 'username' | 'method' | 'password'

/** Who, how, and the proof. Nothing of it outlives the page. */
export function Login({ notice, knownUsername = '', onUsername, onToken }: LoginProps) {
  usePageTitle(texts.title)
  const [step, setStep] = useState<Step>('username')
  const [username, setUsername] = useState(knownUsername)

  const begin = (entered: string) => {
    setUsername(entered)
    setStep('method')
    onUsername?.()
  }
  const abort = () => {
    setUsername('')
    setStep('username')
  }

  return (
    <div className={styles.login}>
      <h1>{texts.title}</h1>
      {step === 'username' && notice !== null && <Alert tone="info">{notice}</Alert>}
      {step === 'username' && <UsernameStep username={username} onNext={begin} />}
      {step === 'method' && (
        <MethodStep
          username={username}
          onPassword={() => setStep('password')}
          onChangeUsername={() => setStep('username')}
        />
      )}
      {step === 'password' && (
        <PasswordStep
          username={username}
          onChangeUsername={() => setStep('username')}
          onAbort={abort}
          onToken={onToken}
        />
      )}
    </div>
  )
}
