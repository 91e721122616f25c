import type { Project } from '@pult/contract'
import { contrastText, initialOf } from '@pult/ui'
import type { CSSProperties } from 'react'
import styles from './ProjectTile.module.css'

/** The project's initial on its colour. */
export function ProjectTile({ project: { label, config } }: { project: Pick<Project, 'label' | 'config'> }) {
  const color = config.consoleColor
  return (
    <span
      className={styles.tile}
      style={{ '--project': color, '--on-project': contrastText(color) } as CSSProperties}
      aria-hidden="true"
    >
      {initialOf(label)}
    </span>
  )
}
