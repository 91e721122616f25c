import { type TokenLink, tokenLinkEndpoints } from '@pult/contract'
import { Spinner } from '@pult/ui'
import { useEffect, useState } from 'react'
import { api } from '#platform/api.ts'
import { ApiError } from '#platform/api-error.ts'
import { Stage } from '#platform/stage/Stage.tsx'
import { Invitation } from './Invitation.tsx'
import { LinkError } from './LinkError.tsx'
import type { TokenLinkPageProps } from './TokenLinkPage.tsx'
import { texts } from './token-links.texts.ts'

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
  if (preflight?.link.action === 'invite:registration') {
    return <Invitation token={token} link={preflight.link} signIn={signIn} />
  }
  return (
    <Stage>
      <div className="stage-page">
        <h1>
          <Spinner label={texts.loading} />
        </h1>
      </div>
    </Stage>
  )
}

/** A success that the contract does not know: the link is for something that this console cannot do, and stays as it is. */
function isUnknownAction(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'UNREADABLE' && error.status === 200
}
