import { tokenLinkEndpoints } from '@pult/contract'
import { Alert, Button } from '@pult/ui'
import { type ReactNode, useState } from 'react'
import { api } from '#platform/api.ts'
import { ApiError, messageOf } from '#platform/api-error.ts'
import { beginSession, session } from '#platform/session.ts'
import styles from './TokenLinks.module.css'
import { texts } from './token-links.texts.ts'

/** The sign-in required by links that only the account's owner can use. */
export interface SignInProps {
  knownUsername: string
  onToken: (token: string) => void
}

export interface TokenLinkPageProps {
  /** Renders the login, which belongs to another room. */
  signIn: (props: SignInProps) => ReactNode
}

interface AcceptanceProps extends TokenLinkPageProps {
  token: string
  email: string
  /** Called with the project of the invitation, if there is one. */
  onAccepted: (projectId: string | undefined) => void
}

type Step = 'offer' | 'sign-in' | 'accepting'

/** For an address with an account: its owner signs in, which accepts the invitation. */
export function Acceptance({ token, email, signIn, onAccepted }: AcceptanceProps) {
  const [isSignedIn, setSignedIn] = useState(session.get().status === 'signed-in')
  const [step, setStep] = useState<Step>('offer')
  const [failure, setFailure] = useState<unknown>(null)

  const accept = async () => {
    setStep('accepting')
    setFailure(null)
    try {
      const { projectId } = await api(tokenLinkEndpoints.redeem, { params: { token }, body: {} })
      onAccepted(projectId)
    } catch (error) {
      setFailure(error)
      setStep('offer')
      if (error instanceof ApiError && error.code === 'UNAUTHENTICATED') setSignedIn(false)
    }
  }

  const onToken = (sessionToken: string) => {
    beginSession(sessionToken)
    setSignedIn(true)
    void accept()
  }

  if (step === 'sign-in') return signIn({ knownUsername: email, onToken })
  const belongsToOther = failure instanceof ApiError && failure.code === 'SIGN_IN_TO_ACCEPT'
  return (
    <div className={styles.form}>
      <h1>{texts.invitation}</h1>
      <p className={styles.lead}>
        {texts.invitationFor(email)} {!isSignedIn && texts.signInFirst}
      </p>
      {isSignedIn && !belongsToOther ? (
        <Button
          variant="primary"
          pending={step === 'accepting'}
          pendingLabel={texts.accepting}
          onClick={() => void accept()}
        >
          {texts.accept}
        </Button>
      ) : (
        <Button variant="primary" onClick={() => setStep('sign-in')}>
          {isSignedIn ? texts.signInAsOther : texts.signIn}
        </Button>
      )}
      {failure !== null && <Alert tone="danger">{messageOf(failure)}</Alert>}
    </div>
  )
}
