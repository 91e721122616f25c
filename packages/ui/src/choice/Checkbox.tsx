import { type ComponentProps, type ReactNode, useId } from 'react'
import { classNames } from '../class-names.ts'
import styles from './Choice.module.css'

export interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type' | 'children'> {
  label: ReactNode
  /** A quieter line below the label. */
  description?: ReactNode
  /** Set if only some of the items that the box represents are checked. */
  indeterminate?: boolean | undefined
}

/**
 * Renders a native checkbox with its label. Takes every attribute of `<input>`; `className` is set on the whole
 * control.
 */
export function Checkbox({ label, description, indeterminate = false, className, ...rest }: CheckboxProps) {
  const id = useId()
  return (
    <label className={classNames(styles.choice, className)}>
      <input
        type="checkbox"
        className={styles.box}
        ref={(input) => {
          if (input) input.indeterminate = indeterminate
        }}
        aria-labelledby={id}
        {...(description !== undefined && { 'aria-describedby': `${id}-text` })}
        {...rest}
      />
      <ChoiceTexts id={id} label={label} description={description} />
    </label>
  )
}

interface ChoiceTextsProps {
  id: string
  label: ReactNode
  description: ReactNode
}

export function ChoiceTexts({ id, label, description }: ChoiceTextsProps) {
  return (
    <span className={styles.texts}>
      <span id={id} className={styles.label}>
        {label}
      </span>
      {description !== undefined && (
        <span id={`${id}-text`} className={styles.description}>
          {description}
        </span>
      )}
    </span>
  )
}
