import { Button, CopyButton } from '@pult/ui'
import Download from 'lucide-react/icons/download'
import Eye from 'lucide-react/icons/eye'
import EyeOff from 'lucide-react/icons/eye-off'
import Printer from 'lucide-react/icons/printer'
import { useState } from 'react'
import { downloadText } from '../download-text.ts'
import { PrintedCodes } from './PrintedCodes.tsx'
import styles from './RecoveryCodes.module.css'
import { texts } from './recovery-codes.texts.ts'
import { recoverySheet } from './recovery-sheet.ts'

export interface RecoveryCodesProps {
  codes: readonly string[]
  /** The account's address, shown in the file and on the printed sheet. */
  account: string
  /** The codes are initially hidden behind a button that toggles them. */
  hidden?: boolean
}

/** Shows recovery codes once, with actions to copy, download and print them. */
export function RecoveryCodes({ codes, account, hidden = false }: RecoveryCodesProps) {
  const [isShown, setShown] = useState(!hidden)
  const download = () => downloadText(texts.fileName, recoverySheet({ codes, account }))
  return (
    <div className={styles.recovery}>
      {isShown ? <ShownCodes codes={codes} /> : <HiddenCodes codes={codes} />}
      <div className={styles.actions}>
        {hidden && (
          <Button
            icon={isShown ? <EyeOff aria-hidden="true" /> : <Eye aria-hidden="true" />}
            onClick={() => setShown(!isShown)}
          >
            {isShown ? texts.hide : texts.show}
          </Button>
        )}
        <CopyButton text={codes.join('\n')} copiedLabel={texts.copied} failedLabel={texts.copyFailed}>
          {texts.copy}
        </CopyButton>
        <Button icon={<Download aria-hidden="true" />} onClick={download}>
          {texts.download}
        </Button>
        <Button icon={<Printer aria-hidden="true" />} onClick={() => print()}>
          {texts.print}
        </Button>
      </div>
      <PrintedCodes codes={codes} account={account} />
    </div>
  )
}

type CodesProps = Pick<RecoveryCodesProps, 'codes'>

function ShownCodes({ codes }: CodesProps) {
  return (
    <ul className={styles.codes} aria-label={texts.title}>
      {codes.map((code) => (
        <li key={code} className={styles.code}>
          {code}
        </li>
      ))}
    </ul>
  )
}

/** As large as the codes, so that toggling them moves nothing. */
function HiddenCodes({ codes }: CodesProps) {
  return (
    <div className={styles.codes} role="img" aria-label={texts.hidden}>
      {codes.map((code) => (
        <span key={code} className={styles.code}>
          {code.replace(/[^-\s]/g, '•')}
        </span>
      ))}
    </div>
  )
}
