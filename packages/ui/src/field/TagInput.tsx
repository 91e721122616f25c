import X from 'lucide-react/icons/x'
import {
  type KeyboardEvent,
  memo,
  use,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import { classNames } from '../class-names.ts'
import { UnsavedInputContext } from '../dialog/unsaved-input.ts'
import { VisuallyHidden } from '../text/VisuallyHidden.tsx'
import field from './Field.module.css'
import { Field, type FieldTexts, messageId } from './Field.tsx'
import { limitCharacters, unitsOf } from './limit-characters.ts'
import styles from './TagInput.module.css'

export interface TagInputProps extends FieldTexts {
  tags: readonly string[]
  /** Called with all tags after one was added or removed. */
  onChange: (tags: string[]) => void
  /** Label of a tag's remove button: `(tag) => `Remove ${tag}``. */
  removeLabel: (tag: string) => string
  name?: string | undefined
  placeholder?: string | undefined
  /** Maximum number of characters of one tag, as readers see them. */
  maxLength?: number | undefined
  readOnly?: boolean | undefined
  className?: string | undefined
}

/**
 * Renders an input for tags. Enter, leaving the field and submitting its form add the typed text unless it is empty or
 * a duplicate. Backspace in the empty field removes the last tag, and each tag has a remove button. Typed text that is
 * not added yet counts as unsaved input.
 */
export function TagInput({
  label,
  hideLabel,
  description,
  error,
  tags,
  onChange,
  removeLabel,
  name,
  placeholder,
  maxLength,
  readOnly = false,
  className,
}: TagInputProps) {
  const id = useId()
  const [typed, setTyped] = useState('')
  const [news, setNews] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLUListElement>(null)
  // As the server stores tags, so that a duplicate is recognised. This package does not know the contract.
  const tag = typed.trim().normalize()
  const isPresent = tags.includes(tag)

  const canAdd = tag !== '' && !isPresent && !readOnly
  const guard = use(UnsavedInputContext)
  useLayoutEffect(() => (canAdd ? guard?.hold() : undefined), [guard, canAdd])

  const add = () => {
    if (!canAdd) return
    onChange([...tags, tag])
    setTyped('')
    setNews(`+ ${tag}`)
  }
  const remove = (index: number) => {
    const removed = tags[index]
    if (removed === undefined) return
    onChange(tags.filter((_tag, at) => at !== index))
    setNews(`− ${removed}`)
    // The button disappears with its tag, so the focus moves to the next button or, after the last tag, to the field.
    const buttons = list.current?.querySelectorAll('button') ?? []
    ;(buttons[index + 1] ?? input.current)?.focus()
  }
  const latest = useRef({ add, remove })
  useEffect(() => {
    latest.current = { add, remove }
  })
  const onRemove = useCallback((index: number) => latest.current.remove(index), [])
  useEffect(() => {
    const form = input.current?.form
    // Runs synchronously and before the form's submit handler, because that handler reads the tags of the last
    // rendering.
    const addFirst = () => flushSync(() => latest.current.add())
    form?.addEventListener('submit', addFirst)
    return () => form?.removeEventListener('submit', addFirst)
  }, [])
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || readOnly) return
    if (event.key === 'Enter' && typed !== '') {
      // Enter adds the tag instead of submitting the form.
      event.preventDefault()
      add()
    } else if (event.key === 'Backspace' && typed === '' && tags.length > 0) {
      event.preventDefault()
      remove(tags.length - 1)
      input.current?.focus()
    }
  }

  return (
    <Field {...{ id, label, hideLabel, description, error, className }}>
      <div className={classNames(field.control, styles.control)}>
        {tags.length > 0 && (
          <ul ref={list} className={styles.tags} aria-label={typeof label === 'string' ? label : undefined}>
            <Tags
              tags={tags}
              match={isPresent ? tag : null}
              removeLabel={readOnly ? null : removeLabel}
              onRemove={onRemove}
            />
          </ul>
        )}
        <input
          ref={input}
          type="text"
          id={id}
          className={classNames(field.input, styles.input)}
          autoComplete="off"
          {...{ name, readOnly }}
          maxLength={unitsOf(maxLength)}
          placeholder={tags.length === 0 ? placeholder : undefined}
          value={typed}
          onChange={(event) => {
            limitCharacters(event.currentTarget, maxLength, event.nativeEvent)
            setTyped(event.target.value)
          }}
          onKeyDown={press}
          // When the window loses the focus, the field stays active, and the user returns to the half-typed text.
          onBlur={() => document.activeElement !== input.current && add()}
          aria-invalid={error ? true : undefined}
          aria-describedby={error || description ? messageId(id) : undefined}
        />
      </div>
      <VisuallyHidden role="status">{news}</VisuallyHidden>
    </Field>
  )
}

interface TagsProps {
  tags: readonly string[]
  /** The tag that equals the typed text. */
  match: string | null
  /** Null if tags cannot be removed. */
  removeLabel: ((tag: string) => string) | null
  onRemove: (index: number) => void
}

/** Memoised, because typing must not render thousands of tags again. */
const Tags = memo(({ tags, match, removeLabel, onRemove }: TagsProps) =>
  tags.map((tag, index) => (
    <li key={tag} className={styles.tag} data-match={tag === match || undefined}>
      <span className={styles.text}>{tag}</span>
      {removeLabel !== null && (
        <button
          type="button"
          className={styles.remove}
          aria-label={removeLabel(tag)}
          onClick={() => onRemove(index)}
        >
          <X aria-hidden="true" />
        </button>
      )}
    </li>
  )),
)
