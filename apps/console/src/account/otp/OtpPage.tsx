import type { OtpEnrolment } from '@pult/contract'
import { Alert, Button, Card, PageHead, Skeleton } from '@pult/ui'
import { useRef, useState } from 'react'
import { messageOf } from '#platform/api-error.ts'
import { OtpDisabled } from './OtpDisabled.tsx'
import { OtpEnabled } from './OtpEnabled.tsx'
import styles from './OtpPage.module.css'
import { OtpSetUp } from './OtpSetUp.tsx'
import { useOtpState } from './otp.queries.ts'
import { texts } from './otp.texts.ts'

/** The second factor: disabled, being set up, or enabled. */
export function OtpPage() {
  const { data: state, error, refetch } = useOtpState()
  const [enrolment, setEnrolment] = useState<OtpEnrolment | null>(null)
  const section = useRef<HTMLElement>(null)

  const show = (next: OtpEnrolment | null) => {
    setEnrolment(next)
    moveFocus()
  }
  // The focused element is replaced, so the section takes the focus.
  const moveFocus = () => section.current?.focus({ preventScroll: true })

  return (
    <>
      <PageHead title={texts.title} text={texts.description} />
      <section ref={section} className={styles.section} tabIndex={-1} aria-label={texts.title}>
        {enrolment !== null ? (
          <OtpSetUp enrolment={enrolment} onEnd={() => show(null)} />
        ) : state !== undefined ? (
          state.isEnabled ? (
            <OtpEnabled state={state} onChange={moveFocus} />
          ) : (
            <OtpDisabled onEnrolment={show} />
          )
        ) : error !== null ? (
          <Alert
            tone="danger"
            title={texts.loadingFailed}
            action={<Button onClick={() => void refetch()}>{texts.retry}</Button>}
          >
            {messageOf(error)}
          </Alert>
        ) : (
          <Card aria-busy="true" data-awaited="">
            <Skeleton width="28ch" />
            <Skeleton width="40ch" />
          </Card>
        )}
      </section>
    </>
  )
}
