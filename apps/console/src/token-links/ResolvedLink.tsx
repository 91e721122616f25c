import { type TokenLink, tokenLinkEndpoints } from '@pult/contract'
import { useEffect, useState } from 'react'
import { api } from '#platform/api.ts'
import { ApiError } from '#platform/api-error.ts'
import { EmailConfirmation } from './EmailConfirmation.tsx'
import { Invitation } from './Invitation.tsx'
import { LinkError } from './LinkError.tsx'
import { LinkLoading } from './LinkLoading.tsx'
import { OtpRecovery } from './OtpRecovery.tsx'
import { PasswordReset } from './PasswordReset.tsx'
import type { TokenLinkPageProps } from './TokenLinkPage.tsx'

type Preflight = { link: TokenLink } | { error: unknown } | null

/** Asks what the link is for, without using it up, and shows the view that fits. */
export function ResolvedLink({ token, signIn }: TokenLinkPageProps & { token: string }) {
  const [tries, setTries] = useState(0)
  const [preflight, setPreflight] = useState<Preflight>(null)

  useEffect(() => {
    const leaving = new AbortController()
    api(tokenLinkEndpoints.preflight, { params: { token }, signal: leaving.signal }).then(
      (link) => setPreflight({ link }),
      (error: unknown) => {
        if (!leaving.signal.aborted && !isUnknownAction(error)) setPreflight({ error })
      },
    )
    return () => leaving.abort()
  }, [token, tries])

  const retry = () => {
    setPreflight(null)
    setTries(tries + 1)
  }

  if (preflight && 'error' in preflight) return <LinkError error={preflight.error} onRetry={retry} />
  if (preflight === null) return <LinkLoading />
  const { action, data } = preflight.link
  switch (action) {
    case 'invite:registration':
      return <Invitation token={token} link={preflight.link} signIn={signIn} />
    case 'user:reset-password':
      return <PasswordReset token={token} email={data.email} />
    case 'user:otp-recovery':
      return <OtpRecovery token={token} email={data.email} user={data.user} />
    case 'user:email-confirmation':
      return <EmailConfirmation token={token} email={data.email} />
  }
}

/** A success that the contract does not know: the link is for something that this console cannot do, and stays as it is. */
function isUnknownAction(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'UNREADABLE' && error.status === 200
}
