import { limits, type StreamDecks } from '@pult/contract'
import { Awaited, Card, IconButton, SelectField } from '@pult/ui'
import MousePointerClick from 'lucide-react/icons/mouse-pointer-click'
import Pencil from 'lucide-react/icons/pencil'
import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import { arrowStop, useArrowKeys } from '#platform/arrow-keys.ts'
import { Choice } from '../Choice.tsx'
import styles from './DeckOnScreen.module.css'
import { keyAt } from './deck-change.ts'
import { deckModels } from './deck-models.ts'
import { useShownKeys } from './shown-keys.ts'
import { texts } from './stream-decks.texts.ts'
import { useDeckFont } from './use-deck-font.ts'
import type { DeckPlace } from './use-deck-place.ts'
import { usePressKey } from './use-press-key.ts'
import { VirtualDeck } from './VirtualDeck.tsx'
import { useWallpaperImage } from './wallpaper-image.ts'

const modes = [
  { value: 'edit', label: texts.edit, icon: <Pencil aria-hidden="true" /> },
  { value: 'use', label: texts.use, icon: <MousePointerClick aria-hidden="true" /> },
] as const

/** A slot's deck on screen, of any model: edits its keys, or presses them without hardware. */
export function DeckOnScreen({ settings, place }: { settings: StreamDecks; place: DeckPlace }) {
  const { slot, model, key, isUsed, go } = place
  const image = useWallpaperImage(settings.wallpaperSrc)
  const shownKeys = useShownKeys(settings)(slot)
  const press = usePressKey()
  const hasFont = useDeckFont()
  const [pressed, setPressed] = useState('')

  const onKey = (index: number) => {
    if (!isUsed) return go({ key: index })
    const hasAction = keyAt(settings, { slot, key: index }).action !== null
    setPressed(hasAction ? '' : texts.nothing)
    void press(slot, index)
  }
  const nameOf = (index: number) => {
    const shown = shownKeys.get(index)
    return [shown?.label, shown?.state?.text].filter(Boolean).join(', ')
  }

  return (
    <Card className={styles.card}>
      <div className={styles.bar}>
        <Slots settings={settings} slot={slot} onSlot={(next) => go({ slot: next })} />
        <SelectField
          label={texts.model}
          hideLabel
          className={styles.model}
          value={model.id}
          onChange={({ target }) => go({ model: target.value })}
        >
          {deckModels.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
      </div>
      {!hasFont && <Awaited height="200px" />}
      {hasFont && (
        <div className={styles.deck} data-wide={model.columns > 5 || undefined}>
          <VirtualDeck
            model={model}
            label={texts.deck(texts.slot(slot), model.name)}
            brightness={settings.brightness}
            wallpaper={{ image, text: settings.wallpaperText }}
            keys={shownKeys}
            nameOf={nameOf}
            selected={isUsed ? null : (key ?? -1)}
            onKey={onKey}
          />
        </div>
      )}
      <div className={styles.mode}>
        <Choice
          label={texts.mode}
          hideLabel
          name="deck-mode"
          value={isUsed ? 'use' : 'edit'}
          options={modes}
          onChange={(mode) => go({ mode })}
        />
        <p className={styles.hint} role="status">
          {pressed || (isUsed ? texts.hintInUse : texts.hintInEdit)}
        </p>
      </div>
    </Card>
  )
}

interface SlotsProps {
  settings: StreamDecks
  slot: number
  onSlot: (slot: number) => void
}

/** The slots with content, and the selected one. */
function Slots({ settings, slot, onSlot }: SlotsProps) {
  const stops = useArrowKeys<HTMLDivElement>()
  const used = [...Object.keys(settings.mapping).map(Number), ...settings.keys.map((key) => key.slot)]
  const slots = [...new Set([0, slot, ...used])].toSorted((a, b) => a - b)
  const free = Array.from({ length: limits.deckSlots }, (_, index) => index).find(
    (index) => !slots.includes(index),
  )
  return (
    <div ref={stops} className={styles.slots} role="group" aria-label={texts.slots}>
      {slots.map((index) => (
        <button
          key={index}
          type="button"
          {...arrowStop}
          className={styles.slot}
          aria-pressed={index === slot}
          onClick={() => onSlot(index)}
        >
          {texts.slot(index)}
        </button>
      ))}
      {free !== undefined && (
        <IconButton label={texts.addSlot} icon={<Plus aria-hidden="true" />} onClick={() => onSlot(free)} />
      )}
    </div>
  )
}
