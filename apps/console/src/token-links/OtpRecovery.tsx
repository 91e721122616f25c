import { type OtpEnrolment, type Redemption, type TokenLink, tokenLinkEndpoints } from '@pult/contract'
import { Alert, Button, ButtonLink, TextAreaField } from '@pult/ui'
import CircleCheck from 'lucide-react/icons/circle-check'
import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { api } from '#platform/api.ts'
import { messageOf } from '#platform/api-error.ts'
import { usePageTitle } from '#platform/page-title.ts'
import { QrCode } from '#platform/qr/QrCode.tsx'
import { RecoveryCodes } from '#platform/recovery-codes/RecoveryCodes.tsx'
import { StagePanel } from '#platform/stage/StagePanel.tsx'
import styles from './TokenLinks.module.css'
import { texts } from './token-links.texts.ts'

interface OtpRecoveryProps {
  token: string
  email: string
  user: TokenLink['data']['user']
}

type State =
  | { name: 'idle' }
  | { name: 'in progress' }
  | { name: 'error'; error: unknown }
  | { name: 'result'; enrolment: OtpEnrolment }

/** Sets up a new authenticator with a recovery code when the old one is lost. */
export function OtpRecovery({ token, email, user }: OtpRecoveryProps) {
  usePageTitle(texts.recoveryTitle)
  const [state, setState] = useState<State>({ name: 'idle' })
  const [codes, setCodes] = useState('')

  const recover = async () => {
    setState({ name: 'in progress' })
    try {
      const enrolment = enrolmentOf(
        await api(tokenLinkEndpoints.redeem, { params: { token }, body: { codes } }),
      )
      // The link has been redeemed, so neither the address bar nor a reload may lead back to it.
      history.replaceState(null, '', '/')
      setState({ name: 'result', enrolment })
    } catch (error) {
      setState({ name: 'error', error })
    }
  }

  return (
    <StagePanel>
      {state.name === 'result' ? (
        <Recovered enrolment={state.enrolment} account={email} />
      ) : state.name === 'error' ? (
        <Failed error={state.error} onRetry={() => setState({ name: 'idle' })} />
      ) : (
        <RecoveryForm
          user={user}
          codes={codes}
          isPending={state.name === 'in progress'}
          onChange={setCodes}
          onSubmit={() => void recover()}
        />
      )}
    </StagePanel>
  )
}

function enrolmentOf({ otpAuthUrl, recoveryCodes }: Redemption): OtpEnrolment {
  if (otpAuthUrl === undefined || recoveryCodes === undefined) throw new Error(texts.recoveryIncomplete)
  return { otpAuthUrl, recoveryCodes }
}

interface RecoveryFormProps {
  user: OtpRecoveryProps['user']
  codes: string
  isPending: boolean
  onChange: (codes: string) => void
  onSubmit: () => void
}

function RecoveryForm({ user, codes, isPending, onChange, onSubmit }: RecoveryFormProps) {
  const isEmpty = codes.trim() === ''
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (!isEmpty && !isPending) onSubmit()
  }
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <h1>{texts.hi(user?.firstname ?? '', user?.lastname ?? '')}</h1>
      <p className={styles.lead}>{texts.recoveryText}</p>
      <TextAreaField
        label={texts.recoveryCodes}
        rows={4}
        monospace
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        value={codes}
        onChange={(event) => onChange(event.target.value)}
      />
      <Button
        type="submit"
        variant="primary"
        disabled={isEmpty}
        pending={isPending}
        pendingLabel={texts.recovering}
      >
        {texts.startRecovery}
      </Button>
    </form>
  )
}

function Failed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <div className={styles.form}>
      <h1>{texts.recoveryTitle}</h1>
      <Alert tone="danger">{messageOf(error)}</Alert>
      <Button variant="primary" autoFocus onClick={onRetry}>
        {texts.retry}
      </Button>
    </div>
  )
}

function Recovered({ enrolment, account }: { enrolment: OtpEnrolment; account: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  return (
    <div className={styles.form}>
      <h1 ref={heading} tabIndex={-1} className={styles.success}>
        <CircleCheck aria-hidden="true" />
        {texts.recovered}
      </h1>
      <p className={styles.lead}>{texts.recoveredText}</p>
      <QrCode text={enrolment.otpAuthUrl} label={texts.qrCode} />
      <Alert tone="warning">{texts.keepCodes}</Alert>
      <RecoveryCodes codes={enrolment.recoveryCodes} account={account} hidden />
      <ButtonLink href="/" variant="primary">
        {texts.login}
      </ButtonLink>
    </div>
  )
}
