import type { StreamDecks } from '@pult/contract'
import { Card, TagInput } from '@pult/ui'
import { useState } from 'react'
import { withSerials } from './deck-change.ts'
import { changeDecks } from './deck-settings.ts'
import styles from './SlotDecks.module.css'
import { texts } from './stream-decks.texts.ts'

const isSerial = (text: string) => /^[A-Za-z0-9-]{1,32}$/.test(text)

/** The serial numbers of a slot's decks. */
export function SlotDecks({ settings: { mapping }, slot }: { settings: StreamDecks; slot: number }) {
  const [wrong, setWrong] = useState<string | null>(null)
  const others = Object.entries(mapping).filter(([index]) => Number(index) !== slot)

  const change = (serials: string[]) => {
    const bad = serials.find((serial) => !isSerial(serial)) ?? null
    setWrong(bad)
    if (bad === null) changeDecks({ mapping: withSerials(mapping, slot, serials) })
  }
  return (
    <Card title={texts.mapping(texts.slot(slot))}>
      <TagInput
        label={texts.serials}
        description={texts.serialsText}
        error={wrong === null ? undefined : texts.serialWrong(wrong)}
        tags={mapping[slot] ?? []}
        onChange={change}
        removeLabel={texts.removeSerial}
        placeholder={texts.serialPlaceholder}
        maxLength={32}
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
