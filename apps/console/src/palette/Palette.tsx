import { limits } from '@pult/contract'
import { IconButton, Kbd } from '@pult/ui'
import Search from 'lucide-react/icons/search'
import SearchX from 'lucide-react/icons/search-x'
import X from 'lucide-react/icons/x'
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import { useCredentials } from '#platform/use-credentials.ts'
import { type Entry, type Found, type Section, sectionsOf } from './entries.ts'
import { Marked } from './Marked.tsx'
import styles from './Palette.module.css'
import { texts } from './palette.texts.ts'
import { noteChoice, readRecent } from './recent.ts'
import { useEntries } from './use-entries.tsx'

/** Ctrl+K: goes to everything there is, and does what can be done from anywhere. */
export function Palette({ onClose }: { onClose: () => void }) {
  const { _id: personId } = useCredentials()
  const dialog = useRef<HTMLDialogElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const listId = useId()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const [recent] = useState(() => readRecent(personId))
  const entries = useEntries(text)
  // At once: Enter chooses what these letters find, however fast it follows them.
  const sections = useMemo(() => sectionsOf(entries, text, recent), [entries, text, recent])
  const found = sections.flatMap((section) => section.found)
  const current = Math.min(at, found.length - 1)

  useEffect(() => dialog.current?.showModal(), [])
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [current, sections])

  const close = () => {
    dialog.current?.close()
    onClose()
  }
  const choose = (entry: Entry | undefined, inWindow: boolean) => {
    if (entry === undefined) return
    noteChoice(personId, entry.id)
    // First, so that the focus is back on the page and can go on from there.
    close()
    if (inWindow && entry.runInWindow) entry.runInWindow()
    else entry.run()
  }

  const move = (step: number) => setAt((current + step + found.length) % Math.max(1, found.length))
  const keys: Record<string, (event: KeyboardEvent) => void> = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    PageDown: () => setAt(Math.min(current + 8, found.length - 1)),
    PageUp: () => setAt(Math.max(current - 8, 0)),
    Escape: close,
    Enter: ({ ctrlKey, metaKey }) => choose(found[current]?.entry, ctrlKey || metaKey),
  }
  const press = (event: KeyboardEvent) => {
    const run = keys[event.key]
    if (run === undefined || event.nativeEvent.isComposing) return
    event.preventDefault()
    run(event)
  }

  return (
    <dialog
      ref={dialog}
      className={styles.palette}
      aria-label={texts.title}
      onClose={onClose}
      onPointerDown={({ target }) => target === dialog.current && close()}
    >
      <div className={styles.panel}>
        <div className={styles.field}>
          <Search aria-hidden="true" />
          <input
            className={styles.input}
            autoFocus
            role="combobox"
            aria-label={texts.title}
            aria-expanded={found.length > 0}
            aria-controls={listId}
            aria-autocomplete="list"
            aria-activedescendant={found.length > 0 ? `${listId}-${current}` : undefined}
            placeholder={texts.placeholder}
            autoComplete="off"
            spellCheck={false}
            maxLength={limits.searchMax}
            value={text}
            onChange={({ target }) => {
              setText(target.value)
              setAt(0)
            }}
            onKeyDown={press}
          />
          <span className={styles.close}>
            <IconButton label={texts.closePalette} icon={<X aria-hidden="true" />} onClick={close} />
          </span>
        </div>
        <div ref={list} id={listId} className={styles.list} role="listbox" aria-label={texts.results}>
          <Sections {...{ sections, listId, current, onPoint: setAt, onChoose: choose }} />
        </div>
        {found.length === 0 && (
          <div className={styles.nothing}>
            <SearchX aria-hidden="true" />
            <p className={styles.nothingTitle}>{texts.nothing(text.trim())}</p>
            <p>{texts.nothingText}</p>
          </div>
        )}
        <p className={styles.status} role="status">
          {text.trim() !== '' && texts.found(found.length)}
        </p>
        <Hints canBeWindow={found[current]?.entry.runInWindow !== undefined} />
      </div>
    </dialog>
  )
}

interface SectionsProps {
  sections: readonly Section[]
  listId: string
  current: number
  onPoint: (at: number) => void
  onChoose: (entry: Entry, inWindow: boolean) => void
}

function Sections({ sections, listId, current, onPoint, onChoose }: SectionsProps) {
  let counted = 0
  return sections.map(({ group, found }) => {
    const first = counted
    counted += found.length
    return (
      <div key={group} role="group" aria-labelledby={`${listId}-${group}`} className={styles.group}>
        <div id={`${listId}-${group}`} className={styles.groupName}>
          {texts.groups[group]}
        </div>
        {found.map((each, index) => (
          <Option
            key={each.entry.id}
            id={`${listId}-${first + index}`}
            found={each}
            isCurrent={first + index === current}
            onPoint={() => onPoint(first + index)}
            onChoose={(inWindow) => onChoose(each.entry, inWindow)}
          />
        ))}
      </div>
    )
  })
}

interface OptionProps {
  id: string
  found: Found
  isCurrent: boolean
  onPoint: () => void
  onChoose: (inWindow: boolean) => void
}

function Option({ id, found: { entry, ranges }, isCurrent, onPoint, onChoose }: OptionProps) {
  const { icon, label, detail, shortcut } = entry
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- The field keeps the focus and has the keys.
    <div
      id={id}
      role="option"
      aria-selected={isCurrent}
      className={styles.option}
      // A pointer that rests while the list moves below it chooses nothing.
      onPointerMove={onPoint}
      onClick={({ ctrlKey, metaKey }) => onChoose(ctrlKey || metaKey)}
    >
      {icon}
      <span className={styles.label}>
        <Marked text={label} ranges={ranges} />
      </span>
      {detail !== undefined && <span className={styles.detail}>{detail}</span>}
      {shortcut !== undefined && (
        <span className={styles.shortcut}>
          <Kbd keys={shortcut} />
        </span>
      )}
    </div>
  )
}

function Hints({ canBeWindow }: { canBeWindow: boolean }) {
  return (
    <div className={styles.hints} aria-hidden="true">
      <span>
        <Kbd keys="↑" /> <Kbd keys="↓" /> {texts.select}
      </span>
      <span>
        <Kbd keys="Enter" /> {texts.open}
      </span>
      {canBeWindow && (
        <span>
          <Kbd keys="Mod+Enter" /> {texts.inWindow}
        </span>
      )}
      <span>
        <Kbd keys="Esc" /> {texts.close}
      </span>
    </div>
  )
}
