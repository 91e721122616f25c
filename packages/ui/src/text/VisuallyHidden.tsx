import type { ComponentProps } from 'react'
import { classNames } from '../class-names.ts'
import styles from './VisuallyHidden.module.css'

/** Renders text for screen readers only. Takes every attribute of a span. */
export function VisuallyHidden({ className, ...rest }: ComponentProps<'span'>) {
  return <span className={classNames(styles.hidden, className)} {...rest} />
}
