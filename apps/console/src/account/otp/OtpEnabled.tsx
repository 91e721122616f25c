import { limits, type OtpState } from '@pult/contract'
import { Alert, Card, formatInstant, StateChip } from '@pult/ui'
import { useState } from 'react'
import { DisableOtp } from './DisableOtp.tsx'
import { NewRecoveryCodes } from './NewRecoveryCodes.tsx'
import styles from './OtpPage.module.css'
import { texts } from './otp.texts.ts'
import { RegenerateCodes } from './RegenerateCodes.tsx'

/** Below this number of recovery codes the page recommends new ones. */
const fewCodes = 3

interface OtpEnabledProps {
  state: OtpState
  /** The focused element was removed. */
  onChange: () => void
}

export function OtpEnabled({ state: { enabledAt, recoveryCodesLeft }, onChange }: OtpEnabledProps) {
  const [newCodes, setNewCodes] = useState<readonly string[] | null>(null)

  const show = (codes: readonly string[] | null) => {
    setNewCodes(codes)
    onChange()
  }

  if (newCodes !== null) return <NewRecoveryCodes codes={newCodes} onDone={() => show(null)} />
  return (
    <Card className={styles.parts} flush>
      <div className={styles.part}>
        <div className={styles.about}>
          <h2 className={styles.heading}>
            <StateChip plain status="ok">
              {texts.on}
            </StateChip>
          </h2>
          <p className={styles.text}>
            {enabledAt !== null && (
              <>
                {texts.since} <time dateTime={enabledAt}>{formatInstant(enabledAt)}</time>.{' '}
              </>
            )}
            {texts.onText}
          </p>
        </div>
        <DisableOtp onDisabled={onChange} />
      </div>
      <div className={styles.part}>
        <div className={styles.about}>
          <h2 className={styles.heading}>{texts.recoveryCodes}</h2>
          <p className={styles.text}>
            {texts.codesLeft(recoveryCodesLeft, limits.recoveryCodes)} {texts.codesLeftText}
          </p>
        </div>
        <RegenerateCodes onCodes={show} />
        {recoveryCodesLeft <= fewCodes && (
          <div className={styles.warning}>
            <Alert tone="warning" title={texts.fewCodes(recoveryCodesLeft)}>
              {texts.fewCodesText}
            </Alert>
          </div>
        )}
      </div>
    </Card>
  )
}
