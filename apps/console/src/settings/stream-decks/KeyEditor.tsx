import {
  type DeckAction,
  type DeckKey,
  deckIcons,
  firstCharacters,
  limits,
  type StreamDecks,
} from '@pult/contract'
import { Button, Card, EmptyState } from '@pult/ui'
import Grid3x3 from 'lucide-react/icons/grid-3x3'
import { ActionFields } from './ActionFields.tsx'
import { keyAt } from './deck-change.ts'
import { changeDecks } from './deck-settings.ts'
import { IconChoice } from './IconChoice.tsx'
import styles from './KeyEditor.module.css'
import { texts } from './stream-decks.texts.ts'
import { TypedField } from './TypedField.tsx'
import { usePressKey } from './use-press-key.ts'

interface KeyEditorProps {
  settings: StreamDecks
  slot: number
  /** Null while no key is selected. */
  index: number | null
}

/** Edits a key's appearance and action. */
export function KeyEditor({ settings, slot, index }: KeyEditorProps) {
  if (index === null) {
    return (
      <Card>
        <EmptyState
          icon={<Grid3x3 aria-hidden="true" />}
          title={texts.chooseKey}
          text={texts.chooseKeyText}
        />
      </Card>
    )
  }
  // The key resets the fields when another key is chosen.
  return <ChosenKey key={`${slot}/${index}`} face={keyAt(settings, { slot, key: index })} />
}

function ChosenKey({ face }: { face: DeckKey }) {
  const press = usePressKey()
  const change = (more: Partial<DeckKey>) => changeDecks({ keys: [{ ...face, ...more }] })
  const isEmpty = face.label === '' && face.icon === null && face.action === null

  const chooseAction = (action: DeckAction | null, label: string) => {
    // The action's default icon and label apply unless the user has set others.
    const icon = face.icon ?? (action === null ? null : iconFor(action))
    change({ action, icon, ...(face.label === '' && { label: firstCharacters(label, limits.deckLabelMax) }) })
  }
  return (
    <Card title={`${texts.slot(face.slot)} · ${texts.key(face.key, '')}`}>
      <div className={styles.fields}>
        <TypedField
          label={texts.label}
          maxLength={limits.deckLabelMax}
          value={face.label}
          onType={(label) => change({ label: label.trim() })}
        />
        <ActionFields action={face.action} onAction={chooseAction} />
        <IconChoice icons={deckIcons} value={face.icon} onChange={(icon) => change({ icon })} />
        <div className={styles.actions}>
          <Button disabled={face.action === null} onClick={() => void press(face.slot, face.key)}>
            {texts.press}
          </Button>
          <Button
            variant="ghost"
            disabled={isEmpty}
            onClick={() => change({ label: '', icon: null, action: null })}
          >
            {texts.clear}
          </Button>
        </div>
      </div>
    </Card>
  )
}

function iconFor(action: DeckAction): DeckKey['icon'] {
  if (action.type === 'app') return 'layers'
  if (action.type === 'edge') return 'server'
  if (action.type === 'instance') return 'refresh-cw'
  if (action.type === 'url') return 'house'
  return action.verb === 'start' ? 'play' : action.verb === 'abort' ? 'square' : 'gauge'
}
