import type { ElementType, HTMLAttributes, Ref } from 'react'

export interface ScrollRegionProps extends HTMLAttributes<HTMLElement> {
  as?: 'div' | 'ol' | 'ul' | 'pre' | undefined
  ref?: Ref<HTMLElement> | undefined
}

/**
 * Renders an element with scrollable content. It is focusable, so that the keyboard can scroll it. Name it with
 * `aria-label`.
 */
export function ScrollRegion({ as = 'div', ...rest }: ScrollRegionProps) {
  const Element = as as ElementType
  return <Element tabIndex={0} {...rest} />
}
