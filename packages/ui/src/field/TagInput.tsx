import X from 'lucide-react/icons/x'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { classNames } from '../class-names.ts'
import { VisuallyHidden } from '../text/VisuallyHidden.tsx'
import field from './Field.module.css'
import { Field, type FieldTexts, messageId } from './Field.tsx'
import styles from './TagInput.module.css'

export interface TagInputProps extends FieldTexts {
  tags: readonly string[]
  /** The tags after one was added at the end, or taken out. */
  onChange: (tags: string[]) => void
  /** What the button in a tag is called: `(tag) => `Remove ${tag}``. */
  removeLabel: (tag: string) => string
  name?: string | undefined
  placeholder?: string | undefined
  /** Characters of one tag. */
  maxLength?: number | undefined
  readOnly?: boolean | undefined
  className?: string | undefined
}

/**
 * A list of words. Enter adds what is typed, unless it is empty or there already; Backspace in the empty field removes
 * the last one, and each has a button for that. What was typed and not added is none of the tags.
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
            {tags.map((present, index) => (
              <li key={present} className={styles.tag} data-match={present === tag || undefined}>
                <span className={styles.text}>{present}</span>
                {!readOnly && (
                  <button
                    type="button"
                    className={styles.remove}
                    aria-label={removeLabel(present)}
                    onClick={() => remove(index)}
                  >
                    <X aria-hidden="true" />
                  </button>
                )}
              </li>
            ))}
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
