import { type ComponentProps, type ReactNode, useId } from 'react'
import { classNames } from '../class-names.ts'
import { ChoiceTexts } from './Checkbox.tsx'
import styles from './Choice.module.css'

export interface SwitchProps extends Omit<ComponentProps<'input'>, 'type' | 'role' | 'children'> {
  label: ReactNode
  /** A quieter line below the label. */
  description?: ReactNode
}

/** Renders a switch that takes effect immediately. For a choice that a form saves, use a Checkbox. */
export function Switch({ label, description, className, ...rest }: SwitchProps) {
  const id = useId()
  return (
    <label className={classNames(styles.choice, className)}>
      <input
        type="checkbox"
        className={styles.switch}
        aria-labelledby={id}
        {...(description !== undefined && { 'aria-describedby': `${id}-text` })}
        {...switchRole}
        {...rest}
      />
      <ChoiceTexts id={id} label={label} description={description} />
    </label>
  )
}

/** Spread, because the linter demands `aria-checked`, although the native checkbox already provides it. */
const switchRole = { role: 'switch' }
