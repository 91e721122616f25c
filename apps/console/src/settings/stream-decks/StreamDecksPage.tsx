import { useHotkey } from '@pult/sdk'
import { LoadingFailed } from '@pult/sdk/resource'
import { Alert, Awaited, Button, PageHead } from '@pult/ui'
import Undo2 from 'lucide-react/icons/undo-2'
import { useEffect } from 'react'
import { messageOf } from '#platform/api-error.ts'
import { decksInUse } from '../decks-in-use.ts'
import { AttachedDecks } from './AttachedDecks.tsx'
import { DeckOnScreen } from './DeckOnScreen.tsx'
import { decideConflict, readDeckSettings, saveDecks, undoDecks, useDeckSettings } from './deck-settings.ts'
import { EdgeDecks } from './EdgeDecks.tsx'
import { KeyEditor } from './KeyEditor.tsx'
import { PictureCard } from './PictureCard.tsx'
import { SaveState } from './SaveState.tsx'
import { SlotDecks } from './SlotDecks.tsx'
import styles from './StreamDecksPage.module.css'
import { texts } from './stream-decks.texts.ts'
import { useDeckPlace } from './use-deck-place.ts'

/** Edits the user's decks and keys. Changes take effect immediately and can be undone. */
export function StreamDecksPage() {
  const { settings, error, saving, savingError, conflict, canUndo } = useDeckSettings()
  const place = useDeckPlace()
  useEffect(() => decksInUse.set(true), [])
  useHotkey('mod+s', () => void saveDecks(), { whileTyping: true })
  useHotkey('mod+z', undoDecks)

  const actions = settings !== null && (
    <>
      <SaveState saving={saving} />
      <Button icon={<Undo2 aria-hidden="true" />} shortcut="Mod+Z" disabled={!canUndo} onClick={undoDecks}>
        {texts.undo}
      </Button>
    </>
  )
  return (
    <>
      <PageHead title={texts.title} text={texts.description} actions={actions} />
      {conflict !== null && (
        <Alert
          tone="warning"
          title={texts.conflict}
          action={
            <>
              <Button onClick={() => void decideConflict('theirs')}>{texts.takeTheirs}</Button>
              <Button variant="primary" onClick={() => void decideConflict('mine')}>
                {texts.keepMine}
              </Button>
            </>
          }
        >
          {texts.conflictText}
        </Alert>
      )}
      {saving === 'failed' && (
        <Alert
          tone="danger"
          title={texts.savingFailed}
          action={<Button onClick={() => void saveDecks()}>{texts.retry}</Button>}
        >
          {messageOf(savingError)}
        </Alert>
      )}
      {settings === null && error !== null && (
        <LoadingFailed title={texts.loadingFailed} error={error} onRetry={readDeckSettings} />
      )}
      {settings === null && error === null && <Awaited height="420px" />}
      {settings !== null && (
        <div className={styles.page}>
          <div className={styles.deck}>
            <DeckOnScreen settings={settings} place={place} />
          </div>
          <div className={styles.editor}>
            <KeyEditor settings={settings} slot={place.slot} index={place.key} />
          </div>
          <div className={styles.cards}>
            <PictureCard settings={settings} />
            <SlotDecks settings={settings} slot={place.slot} />
            <AttachedDecks settings={settings} />
            <EdgeDecks />
          </div>
        </div>
      )}
    </>
  )
}
