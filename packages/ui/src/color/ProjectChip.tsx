import type { CSSProperties } from 'react'
import { initialOf } from '../people/initials.ts'
import { contrastText } from './contrast.ts'
import styles from './ProjectChip.module.css'

export interface ProjectChipProps {
  label: string
  /** The project's `consoleColor`, `#rgb` or `#rrggbb`. */
  color: string
}

/** Shows the current project: its colour with its initial (in black or white for contrast) and its name. */
export function ProjectChip({ label, color }: ProjectChipProps) {
  const colors = { '--project': color, '--on-project': contrastText(color) } as CSSProperties
  return (
    <span className={styles.chip} style={colors}>
      <span className={styles.square} aria-hidden="true">
        {initialOf(label)}
      </span>
      <span className={styles.label}>{label}</span>
    </span>
  )
}
