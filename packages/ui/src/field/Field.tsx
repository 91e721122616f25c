import type { ReactNode } from 'react'
import { classNames } from '../class-names.ts'
import { ToneIcon } from '../feedback/ToneIcon.tsx'
import hidden from '../text/VisuallyHidden.module.css'
import styles from './Field.module.css'

export interface FieldTexts {
  label: ReactNode
  /** Hides the label visually, for fields with a title or placeholder instead. */
  hideLabel?: boolean | undefined
  /** Help below the control; an error replaces it. */
  description?: ReactNode
  /** The error and how to correct it. Its presence marks the field as invalid. */
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
        <FieldMessage error={error} description={description} />
      </div>
    </div>
  )
}

/** Shows the error, or the help without an error. */
export function FieldMessage({ error, description }: Pick<FieldTexts, 'error' | 'description'>) {
  if (!error) return description
  return (
    <>
      <ToneIcon tone="danger" />
      <span>{error}</span>
    </>
  )
}
