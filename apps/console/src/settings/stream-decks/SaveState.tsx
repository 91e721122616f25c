import { StatusDot } from '@pult/ui'
import styles from './StreamDecksPage.module.css'
import { texts } from './stream-decks.texts.ts'

/** Whether the server has what is on screen. */
export function SaveState({ saving }: { saving: 'saved' | 'saving' | 'failed' }) {
  return (
    <span className={styles.saving} role="status">
      {saving === 'saved' && <StatusDot status="success">{texts.saved}</StatusDot>}
      {saving === 'saving' && <StatusDot status="info">{texts.saving}</StatusDot>}
      {saving === 'failed' && <StatusDot status="danger">{texts.notSaved}</StatusDot>}
    </span>
  )
}
