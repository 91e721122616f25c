import { isDeckSerial, limits, type StreamDecks } from '@pult/contract'
import { Card, TagInput } from '@pult/ui'
import { useState } from 'react'
import { withSerials } from './deck-change.ts'
import { changeDecks } from './deck-settings.ts'
import styles from './SlotDecks.module.css'
import { texts } from './stream-decks.texts.ts'

/** The serial numbers of a slot's decks. */
export function SlotDecks({ settings: { mapping }, slot }: { settings: StreamDecks; slot: number }) {
  const [wrong, setWrong] = useState<string | null>(null)
  const others = Object.entries(mapping).filter(([index]) => Number(index) !== slot)

  const change = (serials: string[]) => {
    const bad = serials.find((serial) => !isDeckSerial(serial))
    const isFull = serials.length > limits.decksOfSlot
    setWrong(
      bad === undefined ? (isFull ? texts.slotFull(limits.decksOfSlot) : null) : texts.serialWrong(bad),
    )
    if (bad === undefined && !isFull) changeDecks({ mapping: withSerials(mapping, slot, serials) })
  }
  return (
    <Card title={texts.mapping(texts.slot(slot))}>
      <TagInput
        label={texts.serials}
        description={texts.serialsText}
        error={wrong ?? undefined}
        tags={mapping[slot] ?? []}
        onChange={change}
        removeLabel={texts.removeSerial}
        placeholder={texts.serialPlaceholder}
        maxLength={64}
      />
      {others.length > 0 && (
        <div className={styles.others}>
          <h3 className={styles.heading}>{texts.elsewhereInSlots}</h3>
          <dl className={styles.list}>
            {others.map(([index, serials]) => (
              <div key={index} className={styles.entry}>
                <dt>{texts.slot(Number(index))}</dt>
                <dd>{serials.join(', ')}</dd>
              </div>
            ))}
          </dl>
        </div>
      )}
    </Card>
  )
}
