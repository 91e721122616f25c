import type { TokenLink } from '@pult/contract'
import { useState } from 'react'
import { langOfGerman } from '#platform/locale.ts'
import { usePageTitle } from '#platform/page-title.ts'
import { StagePanel } from '#platform/stage/StagePanel.tsx'
import { Acceptance } from './Acceptance.tsx'
import { LinkSuccess } from './LinkSuccess.tsx'
import { Registration } from './Registration.tsx'
import type { TokenLinkPageProps } from './TokenLinkPage.tsx'
import { texts } from './token-links.texts.ts'

interface InvitationProps extends TokenLinkPageProps {
  token: string
  link: TokenLink
}

/** A new person registers; one who has an account signs in with it and accepts. */
export function Invitation({ token, link: { data }, signIn }: InvitationProps) {
  const [success, setSuccess] = useState<string | null>(null)
  usePageTitle(success ?? (data.user ? texts.invitation : texts.registration))

  const succeed = (title: string) => {
    // The link is used up: neither the address bar nor a reload shall lead back to it.
    history.replaceState(null, '', '/')
    setSuccess(title)
  }

  return (
    <StagePanel lang={langOfGerman()}>
      {success !== null ? (
        <LinkSuccess title={success} text={texts.signedInAs(data.email)} action={texts.toConsole} />
      ) : data.user ? (
        <Acceptance
          token={token}
          email={data.email}
          signIn={signIn}
          onAccepted={() => succeed(texts.accepted)}
        />
      ) : (
        <Registration token={token} email={data.email} onRegistered={() => succeed(texts.created)} />
      )}
    </StagePanel>
  )
}
