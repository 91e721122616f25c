import { useState } from 'react'
import { usePageTitle } from '#platform/page-title.ts'
import styles from './Login.module.css'
import { texts } from './login.texts.ts'
import type { ProofProps } from './PasswordStep.tsx'
import { proof } from './proof.ts'
import { UsernameStep } from './UsernameStep.tsx'

export interface LoginProps {
  /** The reason why the login appears, if it is unexpected. */
  notice: string | null
  /** The prefilled username, which the user can change. */
  knownUsername?: string | undefined
  /** The user has entered a username, so code for the next screens can load. */
  onUsername?: (() => void) | undefined
  /** The person has signed in. */
  onToken: (token: string) => void
}

/** The sign-in steps: username, method and proof. Their state is lost with the page. */
export function Login({ notice, knownUsername = '', onUsername, onToken }: LoginProps) {
  usePageTitle(texts.title)
  const [step, setStep] = useState<'username' | 'proof'>('username')
  const [username, setUsername] = useState(knownUsername)

  const begin = (entered: string) => {
    setUsername(entered)
    setStep('proof')
    onUsername?.()
  }
  const abort = () => {
    setUsername('')
    setStep('username')
  }

  return (
    <div className={styles.login}>
      {step === 'username' ? (
        <UsernameStep username={username} notice={notice} onNext={begin} onToken={onToken} />
      ) : (
        <LateProof
          username={username}
          onChangeUsername={() => setStep('username')}
          onAbort={abort}
          onToken={onToken}
        />
      )}
    </div>
  )
}

/** Once set, the username step ends. */
function LateProof(props: ProofProps) {
  const { Proof } = proof.get()
  return <Proof {...props} />
}
