import type { ReactNode } from 'react'

/** A page of a section, in the section's navigation. */
export interface SectionPlace {
  path: string
  label: string
  /** The users who may open it; by default all. */
  permission?: string
  /** `data`: the whole sheet beside the navigation, instead of the width of a form. */
  width?: 'data'
  icon: ReactNode
}
