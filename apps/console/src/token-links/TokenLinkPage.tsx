import { type ReactNode, useState } from 'react'
import { tokenOf } from './link-path.ts'
import { PastedLink } from './PastedLink.tsx'
import { ResolvedLink } from './ResolvedLink.tsx'

/** What a link may ask for when only an account's owner can use it. */
export interface SignInProps {
  knownUsername: string
  onToken: (token: string) => void
}

export interface TokenLinkPageProps {
  /** The login, which is another room's. */
  signIn: (props: SignInProps) => ReactNode
}

/** `/bift/:token?`, for everybody. */
export function TokenLinkPage({ signIn }: TokenLinkPageProps) {
  // A used link leaves the address bar.
  const [token] = useState(() => tokenOf(location.pathname))
  return token === '' ? <PastedLink /> : <ResolvedLink token={token} signIn={signIn} />
}
