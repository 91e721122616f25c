import { UiProvider } from '@pult/ui'
import { useState } from 'react'
import { openDocument } from '#platform/storage.ts'
import type { TokenLinkPageProps } from './Acceptance.tsx'
import { tokenOf } from './link-path.ts'
import { PastedLink } from './PastedLink.tsx'
import { ResolvedLink } from './ResolvedLink.tsx'
import { Setup } from './setup/Setup.tsx'

/** `/bift/:token?`, for signed-in and signed-out visitors. */
export function TokenLinkPage({ signIn }: TokenLinkPageProps) {
  // Removes a redeemed link from the address bar.
  const [token] = useState(() => tokenOf(location.pathname))
  return (
    // Links load documents here, and the session of a redeemed link may be in memory.
    <UiProvider navigate={openDocument}>
      {token === '' ? (
        <Setup link={null} otherwise={<PastedLink />} />
      ) : (
        <ResolvedLink token={token} signIn={signIn} />
      )}
    </UiProvider>
  )
}
