import { StateChip } from '@pult/ui'
import styles from './StreamDecksPage.module.css'
import { texts } from './stream-decks.texts.ts'

/** Shows whether the server has stored the shown settings. */
export function SaveState({ saving }: { saving: 'saved' | 'saving' | 'failed' }) {
  return (
    <span className={styles.saving} role="status">
      {saving === 'saved' && (
        <StateChip plain status="ok">
          {texts.saved}
        </StateChip>
      )}
      {saving === 'saving' && (
        <StateChip plain status="info">
          {texts.saving}
        </StateChip>
      )}
      {saving === 'failed' && (
        <StateChip plain status="failed">
          {texts.notSaved}
        </StateChip>
      )}
    </span>
  )
}
