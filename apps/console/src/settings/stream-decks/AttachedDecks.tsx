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
  type FaultyDeck,
  forgetDeck,
  identifyDeck,
  retryDeck,
  takeDecks,
} from './attached-decks.ts'
import { slotOf, withSerials } from './deck-change.ts'
import { changeDecks } from './deck-settings.ts'
import { texts } from './stream-decks.texts.ts'

/** The decks attached to this machine. */
export function AttachedDecks({ settings }: { settings: StreamDecks }) {
  const { decks, faulty, isElsewhere, failure } = useStore(attachedDecks)
  const isNone = decks.length + faulty.length === 0
  const titles = titlesOf(decks)
  const support = deckSupport()
  const connect = (
    <Button icon={<Usb aria-hidden="true" />} onClick={() => void connectDecks()}>
      {texts.connect}
    </Button>
  )
  return (
    <Card title={texts.attached} actions={support === 'yes' && !isNone && connect} flush>
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
        {support === 'yes' && !isElsewhere && isNone && (
          <EmptyState
            level={3}
            icon={<Usb aria-hidden="true" />}
            title={texts.none}
            text={texts.noneText}
            action={connect}
          />
        )}
      </div>
      {!isNone && (
        <ul className={styles.decks}>
          {decks.map((deck, at) => (
            <DeckRow key={deck.id} deck={deck} title={titles[at] ?? deck.name} settings={settings} />
          ))}
          {faulty.map((deck) => (
            <FaultyRow key={deck.id} deck={deck} />
          ))}
        </ul>
      )}
    </Card>
  )
}

/** Names decks for labels: by serial number, and by position where that is not enough. */
function titlesOf(decks: readonly AttachedDeck[]): string[] {
  const names = decks.map(({ serial, name }) => serial ?? name)
  return names.map((name, at) => {
    const before = names.slice(0, at).filter((one) => one === name).length
    return before === 0 ? name : `${name} (${before + 1})`
  })
}

interface DeckRowProps {
  deck: AttachedDeck
  title: string
  settings: StreamDecks
}

function DeckRow({ deck: { id, serial, name, firmware }, title, settings }: DeckRowProps) {
  const isRepeated = serial !== null && title !== serial
  const facts = [
    serial === null ? texts.noSerial : texts.serial(serial),
    ...(firmware === '' ? [] : [texts.firmware(firmware)]),
  ]
  return (
    <li className={styles.deck}>
      <div className={styles.facts}>
        <span className={styles.name}>{name}</span>
        <span className={styles.detail}>{facts.join(' · ')}</span>
        {serial === null && <span className={styles.detail}>{texts.noSerialText}</span>}
        {isRepeated && <span className={styles.detail}>{texts.sameSerialText}</span>}
      </div>
      {serial !== null && <SlotChoice serial={serial} title={title} settings={settings} />}
      <div className={styles.actions}>
        <Button
          icon={<Lightbulb aria-hidden="true" />}
          aria-label={texts.identifyOf(title)}
          onClick={() => void identifyDeck(id)}
        >
          {texts.identify}
        </Button>
        <Button variant="ghost" aria-label={texts.removeOf(title)} onClick={() => void forgetDeck(id)}>
          {texts.remove}
        </Button>
      </div>
    </li>
  )
}

/** A deck that is attached but does not work, with the reason. */
function FaultyRow({ deck: { id, name, isSilent, error } }: { deck: FaultyDeck }) {
  return (
    <li className={styles.deck}>
      <div className={styles.facts}>
        <span className={styles.name}>{name}</span>
        <Alert tone="danger" title={texts.deckFailed}>
          {isSilent ? texts.silent : texts.notOpened(messageOf(error))}
        </Alert>
      </div>
      <div className={styles.actions}>
        <Button aria-label={texts.retryOf(name)} onClick={() => void retryDeck(id)}>
          {texts.retry}
        </Button>
        <Button variant="ghost" aria-label={texts.removeOf(name)} onClick={() => void forgetDeck(id)}>
          {texts.remove}
        </Button>
      </div>
    </li>
  )
}

function SlotChoice({ serial, title, settings }: { serial: string; title: string; settings: StreamDecks }) {
  const slot = slotOf(settings, serial)
  const { mapping } = settings
  const move = (value: string) => {
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
    <SelectField
      label={texts.slotOf(title)}
      hideLabel
      className={styles.slot}
      value={slot ?? ''}
      onChange={({ target }) => move(target.value)}
    >
      <option value="">{texts.noSlot}</option>
      {Array.from({ length: limits.deckSlots }, (_, index) => (
        <option
          key={index}
          value={index}
          disabled={index !== slot && (mapping[index]?.length ?? 0) >= limits.decksOfSlot}
        >
          {texts.slot(index)}
        </option>
      ))}
    </SelectField>
  )
}
