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
import styles from './TagInput.module.css'

export interface TagInputProps extends FieldTexts {
  tags: readonly string[]
  /** Called with the tags after one was appended or removed. */
  onChange: (tags: string[]) => void
  /** Label of a tag's remove button: `(tag) => `Remove ${tag}``. */
  removeLabel: (tag: string) => string
  name?: string | undefined
  placeholder?: string | undefined
  /** Characters of one tag. */
  maxLength?: number | undefined
  readOnly?: boolean | undefined
  className?: string | undefined
}

/**
 * An input for tags. Enter adds the typed text unless it is empty or a duplicate, and so do leaving the field and
 * submitting its form; Backspace in the empty field removes the last tag, and each tag has a remove button. Until it is
 * added, the text counts as unsaved input.
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
  const tag = typed.trim()
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
    // The button goes with its tag: the focus moves on to the next one, at the end into the field.
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
    // Before the form's own handler and synchronously, because that one reads the tags of the last rendering.
    const addFirst = () => flushSync(() => latest.current.add())
    form?.addEventListener('submit', addFirst)
    return () => form?.removeEventListener('submit', addFirst)
  }, [])
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || readOnly) return
    if (event.key === 'Enter' && typed !== '') {
      // It adds the tag; it does not send the form.
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
          {...{ name, maxLength, readOnly }}
          placeholder={tags.length === 0 ? placeholder : undefined}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={press}
          // A window that loses the focus keeps the field active: the user comes back to the half-typed text.
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
  /** The present tag that is typed again. */
  match: string | null
  /** Null for tags that cannot be removed. */
  removeLabel: ((tag: string) => string) | null
  onRemove: (index: number) => void
}

/** Typing does not draw the tags again, of which there can be thousands. */
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
