import type { TokenLink } from '@pult/contract'
import { useState } from 'react'
import { langOfGerman } from '#platform/locale.ts'
import { usePageTitle } from '#platform/page-title.ts'
import { withProject } from '#platform/project-address.ts'
import { StagePanel } from '#platform/stage/StagePanel.tsx'
import { Acceptance, type TokenLinkPageProps } from './Acceptance.tsx'
import { LinkSuccess } from './LinkSuccess.tsx'
import { Registration } from './Registration.tsx'
import { texts } from './token-links.texts.ts'

interface InvitationProps extends TokenLinkPageProps {
  token: string
  link: TokenLink
  /** The visitor has stated that they have an account. */
  isMember: boolean
}

/**
 * Offers registration, or acceptance by the existing account. The page does not reveal whether an account exists, so
 * a signed-out visitor chooses between both.
 */
export function Invitation({ token, link: { data }, isMember, signIn }: InvitationProps) {
  const [success, setSuccess] = useState<{ title: string; href: string } | null>(null)
  const [hasAccount, setHasAccount] = useState(isMember || data.user !== null)
  usePageTitle(success?.title ?? (hasAccount ? texts.invitation : texts.registration))

  const { email } = data
  const succeed = (title: string, projectId: string | undefined) => {
    const href = projectId === undefined ? '/' : withProject('/', projectId)
    // The link has been redeemed, so neither the address bar nor a reload may lead back to it.
    history.replaceState(null, '', href)
    setSuccess({ title, href })
  }

  return (
    <StagePanel lang={langOfGerman()}>
      {success !== null ? (
        <LinkSuccess {...success} text={texts.signedInAs(email)} action={texts.toConsole} />
      ) : hasAccount ? (
        <Acceptance
          token={token}
          email={email}
          signIn={signIn}
          onAccepted={(projectId) => succeed(texts.accepted, projectId)}
        />
      ) : (
        <Registration
          token={token}
          email={email}
          onRegistered={(projectId) => succeed(texts.created, projectId)}
          onHasAccount={() => setHasAccount(true)}
        />
      )}
    </StagePanel>
  )
}
