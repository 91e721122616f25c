import type { ReactNode } from 'react'

/** A page of a section, in the section's navigation. */
export interface SectionPlace {
  path: string
  label: string
  /** The users who may open it; by default all. */
  permission?: string
  /** `data`: the page fills the sheet beside the navigation. By default it is as wide as a form. */
  width?: 'data'
  icon: ReactNode
}
