import { Button } from '@pult/ui'
import MailCheck from 'lucide-react/icons/mail-check'
import OctagonAlert from 'lucide-react/icons/octagon-alert'
import { type ReactNode, useId } from 'react'
import { usePageTitle } from '#platform/page-title.ts'
import { FailureMessage } from './FailureMessage.tsx'
import { useFocusOnMount } from './focus-on-mount.ts'
import styles from './Proof.module.css'
import { texts } from './proof.texts.ts'

interface MailOutcomeProps {
  title: string
  icon: ReactNode
  tone: 'success' | 'danger'
  back: string
  onBack: () => void
  children: ReactNode
}

/**
 * Replaces the form after a mail was requested. Its heading takes the focus, so that screen readers announce it with
 * the text.
 */
function MailOutcome({ title, icon, tone, back, onBack, children }: MailOutcomeProps) {
  usePageTitle(title)
  const heading = useFocusOnMount<HTMLHeadingElement>()
  const textId = useId()
  return (
    <>
      <h1 ref={heading} tabIndex={-1} aria-describedby={textId} className={styles.outcome} data-tone={tone}>
        {icon}
        {title}
      </h1>
      <div id={textId} className={styles.outcomeText}>
        {children}
      </div>
      <Button variant="primary" onClick={onBack}>
        {back}
      </Button>
    </>
  )
}

interface MailSentProps {
  text: string
  onBack: () => void
}

export function MailSent({ text, onBack }: MailSentProps) {
  return (
    <MailOutcome
      title={texts.mailSent}
      icon={<MailCheck aria-hidden="true" />}
      tone="success"
      back={texts.backToLogin}
      onBack={onBack}
    >
      <p>{text}</p>
      <p>{texts.mailHint}</p>
    </MailOutcome>
  )
}

interface MailFailedProps {
  error: unknown
  onBack: () => void
}

export function MailFailed({ error, onBack }: MailFailedProps) {
  return (
    <MailOutcome
      title={texts.mailFailed}
      icon={<OctagonAlert aria-hidden="true" />}
      tone="danger"
      back={texts.back}
      onBack={onBack}
    >
      <p>
        <FailureMessage error={error} />
      </p>
    </MailOutcome>
  )
}
