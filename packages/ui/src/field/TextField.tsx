import { type ComponentProps, type ReactNode, useId } from 'react'
import styles from './Field.module.css'
import { Field, type FieldTexts, messageId } from './Field.tsx'
import { limitCharacters, unitsOf } from './limit-characters.ts'

export interface TextFieldProps extends Omit<ComponentProps<'input'>, 'prefix'>, FieldTexts {
  /** Maximum number of characters as readers see them. */
  maxLength?: number | undefined
  /** Inside the control's outline, before and after the text: an icon, a unit, a button. */
  prefix?: ReactNode
  suffix?: ReactNode
}

/**
 * Renders a labelled native `<input>` and takes its attributes; `className` is set on the whole field. Spread a form
 * library's registration onto it: `<TextField label="Label" {...register('label')} error={errors.label?.message} />`.
 */
export function TextField({
  label,
  hideLabel,
  description,
  error,
  prefix,
  suffix,
  className,
  id: givenId,
  maxLength,
  onChange,
  ...rest
}: TextFieldProps) {
  const ownId = useId()
  const id = givenId ?? ownId
  return (
    <Field {...{ id, label, hideLabel, description, error, className }}>
      <div className={styles.control}>
        {prefix !== undefined && <span className={styles.affix}>{prefix}</span>}
        <input
          type="text"
          id={id}
          className={styles.input}
          aria-invalid={error ? true : undefined}
          aria-describedby={error || description ? messageId(id) : undefined}
          {...rest}
          maxLength={unitsOf(maxLength)}
          onChange={(event) => {
            limitCharacters(event.currentTarget, maxLength, event.nativeEvent)
            onChange?.(event)
          }}
        />
        {suffix !== undefined && <span className={styles.affix}>{suffix}</span>}
      </div>
    </Field>
  )
}
