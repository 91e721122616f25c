import { tokenLinkEndpoints } from '@pult/contract'
import { ButtonLink } from '@pult/ui'
import CircleCheck from 'lucide-react/icons/circle-check'
import { useCallback, useEffect, useRef, useState } from 'react'
import { api } from '#platform/api.ts'
import { usePageTitle } from '#platform/page-title.ts'
import { StagePanel } from '#platform/stage/StagePanel.tsx'
import { LinkError } from './LinkError.tsx'
import { LinkLoading } from './LinkLoading.tsx'
import styles from './TokenLinks.module.css'
import { texts } from './token-links.texts.ts'

interface EmailConfirmationProps {
  token: string
  email: string
}

type State = 'confirming' | 'confirmed' | { error: unknown }

/** Confirms the address when the link is opened, once and without a question. */
export function EmailConfirmation({ token, email }: EmailConfirmationProps) {
  const [state, setState] = useState<State>('confirming')
  const isSent = useRef(false)

  const confirm = useCallback(async () => {
    setState('confirming')
    try {
      await api(tokenLinkEndpoints.redeem, { params: { token }, body: {} })
      setState('confirmed')
    } catch (error) {
      setState({ error })
    }
  }, [token])

  useEffect(() => {
    if (isSent.current) return
    isSent.current = true
    void confirm()
  }, [confirm])

  if (state === 'confirming') return <LinkLoading />
  if (state === 'confirmed') return <Confirmed email={email} />
  return <LinkError error={state.error} onRetry={() => void confirm()} />
}

function Confirmed({ email }: { email: string }) {
  usePageTitle(texts.emailVerified)
  return (
    <StagePanel>
      <div className={styles.form}>
        <h1 className={styles.success}>
          <CircleCheck aria-hidden="true" />
          {texts.emailVerified}
        </h1>
        <p className={styles.lead}>{texts.emailVerifiedText(email)}</p>
        <ButtonLink href="/me/emails" variant="primary">
          {texts.ok}
        </ButtonLink>
      </div>
    </StagePanel>
  )
}
