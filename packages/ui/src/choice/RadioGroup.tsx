import { type ReactNode, useId } from 'react'
import { ToneIcon } from '../feedback/ToneIcon.tsx'
import fieldStyles from '../field/Field.module.css'
import { ChoiceTexts } from './Checkbox.tsx'
import styles from './Choice.module.css'

export interface RadioOption<Value extends string> {
  value: Value
  label: ReactNode
  description?: ReactNode
  disabled?: boolean | undefined
}

export interface RadioGroupProps<Value extends string> {
  label: ReactNode
  options: readonly RadioOption<Value>[]
  /** `null` without a choice. */
  value: Value | null
  onChange: (value: Value) => void
  error?: ReactNode
  /** Places options side by side if they fit. */
  inline?: boolean | undefined
  name?: string | undefined
}

/** Offers one choice out of a few options, all of them visible. The arrow keys move between them. */
export function RadioGroup<Value extends string>({
  label,
  options,
  value,
  onChange,
  error,
  inline = false,
  name,
}: RadioGroupProps<Value>) {
  const id = useId()
  return (
    <fieldset
      className={styles.group}
      aria-invalid={error ? true : undefined}
      aria-describedby={error ? `${id}-error` : undefined}
    >
      <legend className={fieldStyles.label}>{label}</legend>
      <div className={styles.options} data-inline={inline || undefined}>
        {options.map((option) => (
          <label key={option.value} className={styles.choice}>
            <input
              type="radio"
              className={styles.radio}
              name={name ?? id}
              value={option.value}
              checked={option.value === value}
              disabled={option.disabled}
              onChange={() => onChange(option.value)}
              aria-labelledby={`${id}-${option.value}`}
              {...(option.description !== undefined && {
                'aria-describedby': `${id}-${option.value}-text`,
              })}
            />
            <ChoiceTexts id={`${id}-${option.value}`} label={option.label} description={option.description} />
          </label>
        ))}
      </div>
      {error !== undefined && error !== false && (
        <div id={`${id}-error`} className={fieldStyles.error}>
          <ToneIcon tone="danger" />
          <span>{error}</span>
        </div>
      )}
    </fieldset>
  )
}
