import type { ReactNode } from 'react'

/** The declaration of a page of a section, for the section's navigation and the command palette. */
export interface SectionPlace {
  href: string
  /** Other paths of the same page. */
  under?: readonly string[]
  label: string
  icon: ReactNode
  /** Keywords for the palette. */
  words: string
}
