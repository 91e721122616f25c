import CircleHelp from 'lucide-react/icons/circle-help'
import Search from 'lucide-react/icons/search'
import X from 'lucide-react/icons/x'
import { type KeyboardEvent, type ReactNode, type RefObject, useRef, useState } from 'react'
import { Popover } from '../popover/Popover.tsx'
import { charactersOf } from '../text/characters.ts'
import { Kbd } from '../text/Kbd.tsx'
import type { Shortcut } from '../text/shortcut.ts'
import styles from './SearchField.module.css'
import { TextField } from './TextField.tsx'

export interface SearchFieldProps {
  /** Accessible name, also shown in the empty field. */
  label: string
  value: string
  onChange: (text: string) => void
  /** Maximum number of characters in the field. */
  maxLength?: number | undefined
  /** Label of the clear button. */
  clearLabel: string
  /** Keys that can precede a value (`owner:ada`). A help button in the field lists them. */
  keys?: readonly string[] | undefined
  /** Label of the help button: "How to search". */
  keysLabel?: string | undefined
  /** Text above the keys that explains how words and keys combine. */
  keysText?: ReactNode
  description?: ReactNode
  /** The key that focuses the field, shown while it is empty. */
  shortcut?: Shortcut | undefined
  /** The input. */
  inputRef?: RefObject<HTMLInputElement | null> | undefined
  /** Handles further keys, such as ArrowDown into the list. */
  onKeyDown?: ((event: KeyboardEvent<HTMLInputElement>) => void) | undefined
}

/** Renders the search field of a list. Escape clears it. */
export function SearchField(props: SearchFieldProps) {
  const {
    label,
    value,
    onChange,
    maxLength,
    clearLabel,
    keys = [],
    keysLabel = '',
    keysText,
    description,
    shortcut,
    inputRef,
    onKeyDown,
  } = props
  const own = useRef<HTMLInputElement>(null)
  const field = inputRef ?? own
  const help = useRef<HTMLButtonElement>(null)
  const [isHelping, setHelping] = useState(false)
  // The closing popover returns the focus to its button. After that, the field takes the focus.
  const [isBegun, setBegun] = useState(false)

  const begin = (key: string) => {
    const begun = `${value.trimEnd()}${value.trim() === '' ? '' : ' '}${key}:`
    onChange(charactersOf(begun).slice(0, maxLength).join(''))
    setBegun(true)
    setHelping(false)
  }
  const moveOn = () => {
    if (!isBegun) return
    setBegun(false)
    field.current?.focus()
  }
  const clear = () => {
    onChange('')
    field.current?.focus()
  }
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Escape' && value !== '') {
      event.preventDefault()
      event.stopPropagation()
      onChange('')
    }
    onKeyDown?.(event)
  }

  return (
    <TextField
      ref={field}
      type="search"
      className={styles.search}
      label={label}
      hideLabel
      placeholder={label}
      autoComplete="off"
      maxLength={maxLength}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={press}
      prefix={<Search aria-hidden="true" />}
      suffix={
        (value !== '' || keys.length > 0 || shortcut !== undefined) && (
          <>
            {value === '' && shortcut !== undefined && (
              <span className={styles.shortcut} aria-hidden="true">
                <Kbd keys={shortcut} />
              </span>
            )}
            {value !== '' && (
              <button type="button" className={styles.clear} aria-label={clearLabel} onClick={clear}>
                <X aria-hidden="true" />
              </button>
            )}
            {keys.length > 0 && (
              <button
                ref={help}
                type="button"
                className={styles.clear}
                aria-label={keysLabel}
                aria-haspopup="dialog"
                aria-expanded={isHelping}
                onFocus={moveOn}
                onClick={() => setHelping(true)}
              >
                <CircleHelp aria-hidden="true" />
              </button>
            )}
            <Popover anchor={help} open={isHelping} label={keysLabel} onClose={() => setHelping(false)}>
              <div className={styles.help}>
                {keysText}
                <span className={styles.keys}>
                  {keys.map((key) => (
                    <button key={key} type="button" className={styles.key} onClick={() => begin(key)}>
                      {key}:
                    </button>
                  ))}
                </span>
              </div>
            </Popover>
          </>
        )
      }
      description={description}
    />
  )
}
