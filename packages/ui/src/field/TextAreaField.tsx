import { type ComponentProps, useId } from 'react'
import { classNames } from '../class-names.ts'
import styles from './Field.module.css'
import { Field, type FieldTexts, messageId } from './Field.tsx'
import { limitCharacters, unitsOf } from './limit-characters.ts'

export interface TextAreaFieldProps extends ComponentProps<'textarea'>, FieldTexts {
  /** Maximum number of characters as readers see them. */
  maxLength?: number | undefined
  /** Uses a monospaced font, for codes and keys. */
  monospace?: boolean
}

/** Renders a labelled native `<textarea>` and takes its attributes; `className` is set on the whole field. */
export function TextAreaField({
  label,
  hideLabel,
  description,
  error,
  className,
  monospace = false,
  id: givenId,
  maxLength,
  onChange,
  ...rest
}: TextAreaFieldProps) {
  const ownId = useId()
  const id = givenId ?? ownId
  return (
    <Field {...{ id, label, hideLabel, description, error, className }}>
      <div className={styles.control}>
        <textarea
          id={id}
          className={classNames(styles.textarea, monospace && styles.monospace)}
          aria-invalid={error ? true : undefined}
          aria-describedby={error || description ? messageId(id) : undefined}
          {...rest}
          maxLength={unitsOf(maxLength)}
          onChange={(event) => {
            limitCharacters(event.currentTarget, maxLength, event.nativeEvent)
            onChange?.(event)
          }}
        />
      </div>
    </Field>
  )
}
