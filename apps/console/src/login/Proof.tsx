import { useState } from 'react'
import { MethodStep } from './MethodStep.tsx'
import { PasswordStep, type ProofProps } from './PasswordStep.tsx'

/** The choice of sign-in method and its form. */
export function Proof({ username, onChangeUsername, onAbort, onToken }: ProofProps) {
  const [method, setMethod] = useState<'password' | null>(null)
  if (method === null) {
    return (
      <MethodStep
        username={username}
        onPassword={() => setMethod('password')}
        onChangeUsername={onChangeUsername}
        onToken={onToken}
      />
    )
  }
  return (
    <PasswordStep
      username={username}
      onChangeUsername={onChangeUsername}
      onAbort={onAbort}
      onToken={onToken}
    />
  )
}
