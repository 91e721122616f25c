import type { ElementType, HTMLAttributes, Ref } from 'react'
import styles from './ScrollRegion.module.css'

export interface ScrollRegionProps extends HTMLAttributes<HTMLElement> {
  as?: 'div' | 'ol' | 'ul' | 'pre' | undefined
  ref?: Ref<HTMLElement> | undefined
}

/**
 * Renders an element with scrollable content. It is focusable, so that the keyboard can scroll it. Name it with
 * `aria-label`. On paper it has its whole length.
 */
export function ScrollRegion({ as = 'div', className = '', ...rest }: ScrollRegionProps) {
  const Element = as as ElementType
  return <Element tabIndex={0} className={`${styles.region} ${className}`} {...rest} />
}
