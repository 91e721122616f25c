import { limits } from '@pult/contract'
import { IconButton, Kbd } from '@pult/ui'
import Search from 'lucide-react/icons/search'
import SearchX from 'lucide-react/icons/search-x'
import X from 'lucide-react/icons/x'
import {
  Fragment,
  type KeyboardEvent,
  useEffect,
  useEffectEvent,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react'
import { handOverTyped } from '#platform/typed-ahead.ts'
import { useCredentials } from '#platform/use-credentials.ts'
import {
  type Entry,
  type EntryAction,
  type Found,
  insteadOf,
  isOfKind,
  type Kind,
  kinds,
  type Section,
  sectionsOf,
} from './entries.ts'
import { Marked } from './Marked.tsx'
import styles from './Palette.module.css'
import { texts } from './palette.texts.ts'
import { noteChoice, readRecent } from './recent.ts'
import { useEntries } from './use-entries.tsx'

/** The command palette (Ctrl+K): opens apps, pages and records, and runs actions. */
export function Palette({ onClose }: { onClose: () => void }) {
  const { _id: personId } = useCredentials()
  const dialog = useRef<HTMLDialogElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const listId = useId()
  const [text, setText] = useState('')
  // By id, because results that arrive later move the others. Null chooses the first.
  const [pointed, setPointed] = useState<string | null>(null)
  const [kind, setKind] = useState<Kind>('everything')
  // The chosen action of the current entry; -1 while the entry itself is chosen.
  const [actionAt, setActionAt] = useState(-1)
  // The text for which Enter was pressed before its first result had loaded.
  const [entered, setEntered] = useState<string | null>(null)
  const [recent] = useState(() => readRecent(personId))
  const { entries, missing, isPending } = useEntries(text)
  // Synchronous, so that Enter chooses from the results of the current text, however fast it follows.
  const results = useMemo(
    () =>
      sectionsOf(
        entries.filter((entry) => isOfKind(entry, kind)),
        text,
        recent,
      ),
    [entries, kind, text, recent],
  )
  const isVain = results.length === 0 && !isPending
  const sections = useMemo(
    () => (isVain ? [{ group: 'instead' as const, found: insteadOf(entries) }] : results),
    [isVain, entries, results],
  )
  const found = sections.flatMap((section) => section.found)
  const place = found.findIndex(({ entry }) => entry.id === pointed)
  // Without matches, Enter runs only an explicitly selected suggestion.
  const current = place === -1 ? (isVain ? -1 : Math.min(0, found.length - 1)) : place
  const actions = found[current]?.entry.actions ?? []
  const action = actions[actionAt]

  useEffect(() => {
    dialog.current?.showModal()
    handOverTyped((typed, isEntered) => {
      setText(typed)
      if (isEntered) setEntered(typed)
    })
  }, [])
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true], [data-current]')?.scrollIntoView({ block: 'nearest' })
  }, [current, actionAt, sections])

  const close = () => {
    dialog.current?.close()
    onClose()
  }
  const choose = (entry: Entry | undefined, inWindow: boolean) => {
    if (entry === undefined) return
    noteChoice(personId, entry.id)
    // Closes first, so that the focus is back on the page before the entry runs.
    close()
    if (inWindow && entry.runInWindow) entry.runInWindow()
    else entry.run()
  }

  const chooseEntered = useEffectEvent(() => {
    if (entered === text) choose(results[0]?.found[0]?.entry, false)
  })
  useEffect(() => chooseEntered(), [results, entered])

  const runAction = (chosen: EntryAction) => {
    close()
    chosen.run()
  }
  const point = (next: number) => {
    setPointed(found[next]?.entry.id ?? null)
    setActionAt(-1)
  }
  const pointAtFirst = () => {
    setPointed(null)
    setActionAt(-1)
  }
  const chooseKind = (next: Kind) => {
    setKind(next)
    pointAtFirst()
  }

  // Without a current entry, down leads to the first and up to the last.
  const move = (step: number) =>
    point((Math.max(current, step < 0 ? 0 : -1) + step + found.length) % Math.max(1, found.length))
  const keysAt = (isAtEnd: boolean): Record<string, (event: KeyboardEvent) => void> => ({
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    PageDown: () => point(Math.min(current + 8, found.length - 1)),
    PageUp: () => point(Math.max(current - 8, 0)),
    Escape: close,
    Enter: ({ ctrlKey, metaKey }) => {
      if (action !== undefined) runAction(action)
      else if (found.length === 0 && isPending) setEntered(text)
      else choose(found[current]?.entry, ctrlKey || metaKey)
    },
    Tab: ({ shiftKey }) => {
      const next = kinds.indexOf(kind) + (shiftKey ? kinds.length - 1 : 1)
      chooseKind(kinds[next % kinds.length] ?? 'everything')
    },
    // At the end of the text only, where these keys do not move the cursor.
    ...(actions.length > 0 &&
      isAtEnd && { ArrowRight: () => setActionAt(Math.min(actionAt + 1, actions.length - 1)) }),
    ...(actionAt >= 0 && { ArrowLeft: () => setActionAt(actionAt - 1) }),
  })
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    const { selectionStart, value } = event.currentTarget
    const run = keysAt(selectionStart === value.length)[event.key]
    if (run === undefined) return
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
            aria-activedescendant={
              action !== undefined
                ? `${listId}-${current}-${action.id}`
                : current >= 0
                  ? `${listId}-${current}`
                  : undefined
            }
            placeholder={texts.placeholder}
            autoComplete="off"
            spellCheck={false}
            maxLength={limits.searchMax}
            value={text}
            onChange={({ target }) => {
              setText(target.value)
              setEntered(null)
              pointAtFirst()
            }}
            onKeyDown={press}
          />
          <Kinds kind={kind} onChoose={chooseKind} />
          <span className={styles.close}>
            <IconButton label={texts.closePalette} icon={<X aria-hidden="true" />} onClick={close} />
          </span>
        </div>
        {results.length === 0 && (
          <div className={styles.nothing}>
            <SearchX aria-hidden="true" />
            <p className={styles.nothingTitle}>{texts.nothing(text.trim())}</p>
            <p>{texts.nothingText}</p>
          </div>
        )}
        <div ref={list} id={listId} className={styles.list} role="listbox" aria-label={texts.results}>
          <Sections
            {...{ sections, listId, current, actionAt, onPoint: point, onChoose: choose, onAct: runAction }}
          />
        </div>
        {missing.length > 0 && <p className={styles.partial}>{texts.someMissing(missing)}</p>}
        <p className={styles.status} role="status">
          {text.trim() !== '' && texts.found(isVain ? 0 : found.length)}
        </p>
        <Hints
          canBeWindow={found[current]?.entry.runInWindow !== undefined}
          hasActions={actions.length > 0}
        />
      </div>
    </dialog>
  )
}

interface SectionsProps {
  sections: readonly Section[]
  listId: string
  current: number
  /** Index of the current entry's action; -1 for the entry itself. */
  actionAt: number
  onPoint: (at: number) => void
  onChoose: (entry: Entry, inWindow: boolean) => void
  onAct: (action: EntryAction) => void
}

function Sections({ sections, listId, current, actionAt, onPoint, onChoose, onAct }: SectionsProps) {
  let counted = 0
  return sections.map(({ group, found }) => {
    const first = counted
    counted += found.length
    return (
      <div key={group} role="group" aria-labelledby={`${listId}-${group}`} className={styles.group}>
        <div id={`${listId}-${group}`} className={styles.groupName}>
          {texts.groups[group]}
        </div>
        {found.map((each, index) => {
          const isCurrent = first + index === current
          const id = `${listId}-${first + index}`
          return (
            <Fragment key={each.entry.id}>
              <Option
                id={id}
                found={each}
                isCurrent={isCurrent}
                isSelected={isCurrent && actionAt < 0}
                onPoint={() => isCurrent || onPoint(first + index)}
                onChoose={(inWindow) => onChoose(each.entry, inWindow)}
              />
              {isCurrent && each.entry.actions && (
                <Actions id={id} entry={each.entry} actionAt={actionAt} onAct={onAct} />
              )}
            </Fragment>
          )
        })}
      </div>
    )
  })
}

interface OptionProps {
  id: string
  found: Found
  isCurrent: boolean
  /** False while one of its actions is chosen. */
  isSelected: boolean
  onPoint: () => void
  onChoose: (inWindow: boolean) => void
}

function Option({ id, found: { entry, ranges }, isCurrent, isSelected, onPoint, onChoose }: OptionProps) {
  const { icon, label, detail, shortcut, state } = entry
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- The field keeps the focus and handles the keys.
    <div
      id={id}
      role="option"
      aria-selected={isSelected}
      data-current={isCurrent || undefined}
      className={styles.option}
      // A resting pointer does not select entries that move below it.
      onPointerMove={({ movementX, movementY }) => (movementX !== 0 || movementY !== 0) && onPoint()}
      onClick={({ ctrlKey, metaKey }) => onChoose(ctrlKey || metaKey)}
    >
      {icon}
      <span className={styles.texts} data-lines={entry.isThing ? 2 : 1}>
        <span className={styles.label}>
          <Marked text={label} ranges={ranges} />
        </span>
        {detail !== undefined && <span className={styles.detail}>{detail}</span>}
      </span>
      {state !== undefined && <span className={styles.state}>{state}</span>}
      {shortcut !== undefined && (
        <span className={styles.shortcut}>
          <Kbd keys={shortcut} />
        </span>
      )}
    </div>
  )
}

interface ActionsProps {
  /** Id of the option element. */
  id: string
  entry: Entry
  actionAt: number
  onAct: (action: EntryAction) => void
}

/** The actions of the current entry, below it. */
function Actions({ id, entry: { label, actions }, actionAt, onAct }: ActionsProps) {
  return (
    <div role="group" aria-label={texts.actionsOf(label)} className={styles.actions}>
      {actions?.map((action, index) => (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- The field keeps the focus and handles the keys.
        <div
          key={action.id}
          id={`${id}-${action.id}`}
          role="option"
          aria-selected={index === actionAt}
          className={styles.action}
          onClick={() => onAct(action)}
        >
          {action.icon}
          {action.label}
        </div>
      ))}
    </div>
  )
}

/** Chooses which kind of entries are listed. Tab in the field does the same. */
function Kinds({ kind, onChoose }: { kind: Kind; onChoose: (kind: Kind) => void }) {
  return (
    <div role="group" aria-label={texts.kinds} className={styles.kinds}>
      {kinds.map((each) => (
        <button
          key={each}
          type="button"
          tabIndex={-1}
          className={styles.kind}
          aria-pressed={each === kind}
          // The field keeps the focus.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onChoose(each)}
        >
          {texts.kind[each]}
        </button>
      ))}
    </div>
  )
}

function Hints({ canBeWindow, hasActions }: { canBeWindow: boolean; hasActions: boolean }) {
  return (
    <div className={styles.hints} aria-hidden="true">
      <span>
        <Kbd keys="↑" /> <Kbd keys="↓" /> {texts.select}
      </span>
      <span>
        <Kbd keys="Enter" /> {texts.open}
      </span>
      {hasActions && (
        <span>
          <Kbd keys="→" /> {texts.toActions}
        </span>
      )}
      {canBeWindow && (
        <span>
          <Kbd keys="Mod+Enter" /> {texts.inWindow}
        </span>
      )}
      <span>
        <Kbd keys="Tab" /> {texts.chooseKind}
      </span>
      <span>
        <Kbd keys="Esc" /> {texts.close}
      </span>
    </div>
  )
}
