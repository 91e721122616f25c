import { formatTime } from '@pult/ui'
import WifiOff from 'lucide-react/icons/wifi-off'
import { useTexts } from '../texts.ts'
import styles from './StaleNote.module.css'

const catalogues = {
  de: { stale: (time: string) => `As of ${time}. It could not be read again.` },
  'de-DE': { stale: (time: string) => `Stand ${time}. Neu lesen war nicht möglich.` },
}

export interface StaleNoteProps {
  /** When the content was read, in milliseconds since 1970; null while it is current. */
  since: number | null
}

/**
 * Shows the age of content that could not be refetched; empty while the content is current.
 *
 * @example <StaleNote since={staleSince(query)} />
 */
export function StaleNote({ since }: StaleNoteProps) {
  const texts = useTexts(catalogues)
  return (
    <span role="status" className={styles.note}>
      {since !== null && (
        <>
          <WifiOff aria-hidden="true" />
          {texts.stale(formatTime(new Date(since)))}
        </>
      )}
    </span>
  )
}
