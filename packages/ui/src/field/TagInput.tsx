import X from 'lucide-react/icons/x'
import { type KeyboardEvent, memo, useCallback, useEffect, useId, useRef, useState } from 'react'
import { classNames } from '../class-names.ts'
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
 * An input for tags. Enter adds the typed text unless it is empty or a duplicate; Backspace in the empty field
 * removes the last tag, and each tag has a remove button. Text that was not added is not part of the tags.
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

  const add = () => {
    if (tag === '' || isPresent) return
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
  const latestRemove = useRef(remove)
  useEffect(() => {
    latestRemove.current = remove
  })
  const onRemove = useCallback((index: number) => latestRemove.current(index), [])
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
