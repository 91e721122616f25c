import type { TokenLink } from '@pult/contract'
import { useState } from 'react'
import { langOfGerman } from '#platform/locale.ts'
import { usePageTitle } from '#platform/page-title.ts'
import { StagePanel } from '#platform/stage/StagePanel.tsx'
import { Acceptance, type TokenLinkPageProps } from './Acceptance.tsx'
import { LinkSuccess } from './LinkSuccess.tsx'
import { Registration } from './Registration.tsx'
import { texts } from './token-links.texts.ts'

interface InvitationProps extends TokenLinkPageProps {
  token: string
  link: TokenLink
  /** The visitor has said that they have an account. */
  isMember: boolean
}

/**
 * Offers registration, or acceptance by the existing account. The page does not reveal whether an account exists, so
 * a signed-out visitor chooses between both.
 */
export function Invitation({ token, link: { data }, isMember, signIn }: InvitationProps) {
  const [success, setSuccess] = useState<string | null>(null)
  const [hasAccount, setHasAccount] = useState(isMember || data.user !== null)
  usePageTitle(success ?? (hasAccount ? texts.invitation : texts.registration))

  const { email } = data
  const succeed = (title: string) => {
    // The link has been redeemed, so neither the address bar nor a reload may lead back to it.
    history.replaceState(null, '', '/')
    setSuccess(title)
  }

  return (
    <StagePanel lang={langOfGerman()}>
      {success !== null ? (
        <LinkSuccess title={success} text={texts.signedInAs(email)} action={texts.toConsole} />
      ) : hasAccount ? (
        <Acceptance token={token} email={email} signIn={signIn} onAccepted={() => succeed(texts.accepted)} />
      ) : (
        <Registration
          token={token}
          email={email}
          onRegistered={() => succeed(texts.created)}
          onHasAccount={() => setHasAccount(true)}
        />
      )}
    </StagePanel>
  )
}
