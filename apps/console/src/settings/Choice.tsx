import type { ReactNode } from 'react'
import styles from './Choice.module.css'

interface ChoiceProps<Value extends string> {
  label: string
  /** For screen readers only. */
  hideLabel?: boolean
  name: string
  value: Value
  options: readonly { value: Value; label: string; description?: string; icon?: ReactNode }[]
  onChange: (value: Value) => void
}

/** A choice of a few options, all visible. */
export function Choice<Value extends string>({
  label,
  hideLabel = false,
  name,
  value,
  options,
  onChange,
}: ChoiceProps<Value>) {
  return (
    <fieldset className={styles.choice}>
      <legend className={styles.legend} data-hidden={hideLabel || undefined}>
        {label}
      </legend>
      <div className={styles.options}>
        {options.map((option) => (
          <label key={option.value} className={styles.option}>
            <input
              type="radio"
              name={name}
              className={styles.input}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            {option.icon}
            <span className={styles.texts}>
              <span className={styles.name}>{option.label}</span>
              {option.description !== undefined && (
                <span className={styles.description}>{option.description}</span>
              )}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
