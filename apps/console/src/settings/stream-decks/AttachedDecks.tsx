import { limits, type StreamDecks } from '@pult/contract'
import { Alert, Button, Card, EmptyState, SelectField } from '@pult/ui'
import Lightbulb from 'lucide-react/icons/lightbulb'
import Usb from 'lucide-react/icons/usb'
import { messageOf } from '#platform/api-error.ts'
import { useStore } from '#platform/use-store.ts'
import styles from './AttachedDecks.module.css'
import {
  type AttachedDeck,
  attachedDecks,
  connectDecks,
  deckSupport,
  forgetDeck,
  identifyDeck,
  takeDecks,
} from './attached-decks.ts'
import { slotOf, withSerials } from './deck-change.ts'
import { changeDecks } from './deck-settings.ts'
import { texts } from './stream-decks.texts.ts'

/** The decks attached to this machine. */
export function AttachedDecks({ settings }: { settings: StreamDecks }) {
  const { decks, isElsewhere, failure } = useStore(attachedDecks)
  const support = deckSupport()
  const connect = (
    <Button icon={<Usb aria-hidden="true" />} onClick={() => void connectDecks()}>
      {texts.connect}
    </Button>
  )
  return (
    <Card title={texts.attached} actions={support === 'yes' && decks.length > 0 && connect} flush>
      <div className={styles.content}>
        {support === 'no' && (
          <Alert tone="info" title={texts.unsupported}>
            {texts.unsupportedText}
          </Alert>
        )}
        {support === 'insecure' && (
          <Alert tone="info" title={texts.insecure}>
            {texts.insecureText}
          </Alert>
        )}
        {isElsewhere && (
          <Alert
            tone="info"
            title={texts.elsewhere}
            action={<Button onClick={takeDecks}>{texts.takeOver}</Button>}
          >
            {texts.elsewhereText}
          </Alert>
        )}
        {failure !== null && (
          <Alert tone="danger" title={texts.deckFailed}>
            {messageOf(failure)}
          </Alert>
        )}
        {support === 'yes' && !isElsewhere && decks.length === 0 && (
          <EmptyState
            level={3}
            icon={<Usb aria-hidden="true" />}
            title={texts.none}
            text={texts.noneText}
            action={connect}
          />
        )}
      </div>
      {decks.length > 0 && (
        <ul className={styles.decks}>
          {decks.map((deck) => (
            <DeckRow key={deck.serial} deck={deck} settings={settings} />
          ))}
        </ul>
      )}
    </Card>
  )
}

function DeckRow({
  deck: { serial, name, firmware },
  settings,
}: {
  deck: AttachedDeck
  settings: StreamDecks
}) {
  const slot = slotOf(settings, serial)
  const move = (value: string) => {
    const { mapping } = settings
    const left =
      slot === null
        ? mapping
        : withSerials(
            mapping,
            slot,
            (mapping[slot] ?? []).filter((one) => one !== serial),
          )
    const target = Number(value)
    changeDecks({
      mapping: value === '' ? left : withSerials(left, target, [...(left[target] ?? []), serial]),
    })
  }
  return (
    <li className={styles.deck}>
      <div className={styles.facts}>
        <span className={styles.name}>{name}</span>
        <span className={styles.detail}>
          {texts.serial(serial)} · {texts.firmware(firmware)}
        </span>
      </div>
      <SelectField
        label={texts.slotOf(serial)}
        hideLabel
        className={styles.slot}
        value={slot ?? ''}
        onChange={({ target }) => move(target.value)}
      >
        <option value="">{texts.noSlot}</option>
        {Array.from({ length: limits.deckSlots }, (_, index) => (
          <option key={index} value={index}>
            {texts.slot(index)}
          </option>
        ))}
      </SelectField>
      <div className={styles.actions}>
        <Button
          icon={<Lightbulb aria-hidden="true" />}
          aria-label={texts.identifyOf(serial)}
          onClick={() => void identifyDeck(serial)}
        >
          {texts.identify}
        </Button>
        <Button variant="ghost" aria-label={texts.removeOf(serial)} onClick={() => void forgetDeck(serial)}>
          {texts.remove}
        </Button>
      </div>
    </li>
  )
}
