import Search from 'lucide-react/icons/search'
import X from 'lucide-react/icons/x'
import { type KeyboardEvent, type ReactNode, useRef } from 'react'
import styles from './SearchField.module.css'
import { TextField } from './TextField.tsx'

export interface SearchFieldProps {
  /** For screen readers, and in the empty field. */
  label: string
  value: string
  onChange: (text: string) => void
  /** Characters. */
  maxLength?: number | undefined
  /** What the button that empties the field is called. */
  clearLabel: string
  /** Names that may stand before a value, `owner:ada`. Each is a button that begins such a term. */
  keys?: readonly string[] | undefined
  /** What the names of the keys are called together: "Search in". */
  keysLabel?: string | undefined
  description?: ReactNode
  /** For keys of its own, such as ArrowDown into the list. */
  onKeyDown?: ((event: KeyboardEvent<HTMLInputElement>) => void) | undefined
}

/** Searches a list. Escape empties it. */
export function SearchField(props: SearchFieldProps) {
  const {
    label,
    value,
    onChange,
    maxLength,
    clearLabel,
    keys = [],
    keysLabel,
    description,
    onKeyDown,
  } = props
  const field = useRef<HTMLInputElement>(null)

  const begin = (key: string) => {
    onChange(`${value.trimEnd()}${value.trim() === '' ? '' : ' '}${key}:`.slice(0, maxLength))
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
        value !== '' && (
          <button type="button" className={styles.clear} aria-label={clearLabel} onClick={clear}>
            <X aria-hidden="true" />
          </button>
        )
      }
      description={
        (description || keys.length > 0) && (
          <>
            {description}
            {keys.length > 0 && (
              <span className={styles.keys} role="group" aria-label={keysLabel}>
                {keys.map((key) => (
                  <button key={key} type="button" className={styles.key} onClick={() => begin(key)}>
                    {key}:
                  </button>
                ))}
              </span>
            )}
          </>
        )
      }
    />
  )
}
