import type { ReactNode } from 'react'
import { classNames } from '../class-names.ts'
import { ToneIcon } from '../feedback/ToneIcon.tsx'
import hidden from '../text/VisuallyHidden.module.css'
import styles from './Field.module.css'

export interface FieldTexts {
  label: ReactNode
  /** Keeps the label for screen readers only, where a title or placeholder says it to the eye. */
  hideLabel?: boolean | undefined
  /** Help below the control; an error takes its place. */
  description?: ReactNode
  /** What is wrong, and how to put it right. Its presence makes the field invalid. */
  error?: ReactNode
}

interface FieldProps extends FieldTexts {
  id: string
  className?: string | undefined
  children: ReactNode
}

export const messageId = (id: string) => `${id}-message`

export function Field({ id, label, hideLabel = false, description, error, className, children }: FieldProps) {
  return (
    <div className={classNames(styles.field, className)} data-helped={description ? '' : undefined}>
      <label className={hideLabel ? hidden.hidden : styles.label} htmlFor={id}>
        {label}
      </label>
      {children}
      <div id={messageId(id)} className={error ? styles.error : styles.description}>
        {error ? (
          <>
            <ToneIcon tone="danger" />
            <span>{error}</span>
          </>
        ) : (
          description
        )}
      </div>
    </div>
  )
}
