import { useState } from 'react'
import { MethodStep } from './MethodStep.tsx'
import { PasswordStep } from './PasswordStep.tsx'

export interface ProofProps {
  username: string
  onChangeUsername: () => void
  onAbort: () => void
  onToken: (token: string) => void | Promise<void>
}

/** How somebody signs in, and the proof of who it is. */
export function Proof({ username, onChangeUsername, onAbort, onToken }: ProofProps) {
  const [method, setMethod] = useState<'password' | null>(null)
  if (method === null) {
    return (
      <MethodStep
        username={username}
        onPassword={() => setMethod('password')}
        onChangeUsername={onChangeUsername}
        onToken={(token) => void onToken(token)}
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
