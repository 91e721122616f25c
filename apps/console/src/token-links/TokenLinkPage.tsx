import { useState } from 'react'
import type { TokenLinkPageProps } from './Acceptance.tsx'
import { tokenOf } from './link-path.ts'
import { PastedLink } from './PastedLink.tsx'
import { ResolvedLink } from './ResolvedLink.tsx'
import { Setup } from './setup/Setup.tsx'

/** `/bift/:token?`, for signed-in and signed-out visitors. */
export function TokenLinkPage({ signIn }: TokenLinkPageProps) {
  // Removes a redeemed link from the address bar.
  const [token] = useState(() => tokenOf(location.pathname))
  if (token === '') return <Setup link={null} otherwise={<PastedLink />} />
  return <ResolvedLink token={token} signIn={signIn} />
}
