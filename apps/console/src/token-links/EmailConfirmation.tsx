import { type TokenLink, tokenLinkEndpoints } from '@pult/contract'
import { Button } from '@pult/ui'
import { useCallback, useEffect, useRef, useState } from 'react'
import { api } from '#platform/api.ts'
import { usePageTitle } from '#platform/page-title.ts'
import { StagePanel } from '#platform/stage/StagePanel.tsx'
import { LinkError } from './LinkError.tsx'
import { LinkLoading } from './LinkLoading.tsx'
import { LinkSuccess } from './LinkSuccess.tsx'
import styles from './TokenLinks.module.css'
import { texts } from './token-links.texts.ts'

interface EmailConfirmationProps {
  token: string
  data: TokenLink['data']
}

type State = 'asking' | 'confirming' | 'confirmed' | { error: unknown; isRetrying: boolean }

/**
 * Confirms the address immediately for the account that requested it. Elsewhere the page waits for a click, so that a mail
 * scanner that runs scripts confirms nothing (DEC-52).
 */
export function EmailConfirmation({ token, data }: EmailConfirmationProps) {
  const isOwn = data.isOwnAccount === true
  const [state, setState] = useState<State>(isOwn ? 'confirming' : 'asking')
  const isSent = useRef(false)

  const confirm = useCallback(async () => {
    setState((before) => (typeof before === 'object' ? { ...before, isRetrying: true } : 'confirming'))
    try {
      await api(tokenLinkEndpoints.redeem, { params: { token }, body: {} })
      setState('confirmed')
    } catch (error) {
      setState({ error, isRetrying: false })
    }
  }, [token])

  useEffect(() => {
    if (!isOwn || isSent.current) return
    isSent.current = true
    void confirm()
  }, [isOwn, confirm])

  if (state === 'confirmed') return <Confirmed email={data.email} />
  if (typeof state === 'object') return <LinkError {...state} onRetry={() => void confirm()} />
  if (isOwn) return <LinkLoading />
  return <Question data={data} isPending={state === 'confirming'} onConfirm={() => void confirm()} />
}

interface QuestionProps {
  data: TokenLink['data']
  isPending: boolean
  onConfirm: () => void
}

function Question({ data: { email, user }, isPending, onConfirm }: QuestionProps) {
  usePageTitle(texts.confirmEmail)
  return (
    <StagePanel>
      <div className={styles.form}>
        <h1>{texts.confirmEmail}</h1>
        <p className={styles.lead}>{texts.confirmEmailText}</p>
        <dl className={styles.fact}>
          <dt>{texts.emailAddress}</dt>
          <dd>{email}</dd>
          <dt>{texts.account}</dt>
          <dd>
            {user?.firstname} {user?.lastname}
          </dd>
          <dd>{user?.email}</dd>
        </dl>
        <p className={styles.lead}>{texts.unknownAccount}</p>
        <Button
          variant="primary"
          pending={isPending}
          pendingLabel={texts.confirmingAddress}
          onClick={onConfirm}
        >
          {texts.confirmAddress}
        </Button>
      </div>
    </StagePanel>
  )
}

function Confirmed({ email }: { email: string }) {
  usePageTitle(texts.emailVerified)
  return (
    <StagePanel>
      <LinkSuccess
        title={texts.emailVerified}
        text={texts.emailVerifiedText(email)}
        href="/me/emails"
        action={texts.ok}
      />
    </StagePanel>
  )
}
