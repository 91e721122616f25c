import { useState } from 'react'
import { usePageTitle } from '#platform/page-title.ts'
import styles from './Login.module.css'
import { texts } from './login.texts.ts'
import type { ProofProps } from './Proof.tsx'
import { proof } from './proof.ts'
import { UsernameStep } from './UsernameStep.tsx'

export interface LoginProps {
  /** Why the login is shown, when that may come as a surprise. */
  notice: string | null
  /** Filled in already; the person may change it. */
  knownUsername?: string | undefined
  /** The person is on the way in, so what comes after the login can be fetched. */
  onUsername?: (() => void) | undefined
  /** The person has signed in. */
  onToken: (token: string) => void | Promise<void>
}

/** Who, how, and the proof. Nothing of it outlives the page. */
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
        <UsernameStep
          username={username}
          notice={notice}
          onNext={begin}
          onToken={(token) => void onToken(token)}
        />
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

/** The username step ends when this is there. */
function LateProof(props: ProofProps) {
  const { Proof } = proof.get()
  return <Proof {...props} />
}
