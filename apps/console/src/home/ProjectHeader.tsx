import type { Project } from '@pult/contract'
import { contrastText } from '@pult/ui'
import type { CSSProperties } from 'react'
import { texts } from './home.texts.ts'
import styles from './ProjectHeader.module.css'

/** Which project one is in, as large as the place of all its apps deserves. */
export function ProjectHeader({ project, isOwner }: { project: Project; isOwner: boolean }) {
  const { label, orgLabel, config } = project
  const [initial] = label.trim()
  const color = config.consoleColor
  const colors = { '--project': color, '--on-project': contrastText(color) } as CSSProperties
  const facts = [
    orgLabel === null ? texts.privateProject : texts.organizationProject(orgLabel),
    isOwner && texts.owner,
  ]
  return (
    <header className={styles.header}>
      <span className={styles.tile} style={colors} aria-hidden="true">
        {initial?.toUpperCase()}
      </span>
      <div className={styles.texts}>
        <h1>{label}</h1>
        <p className={styles.facts}>{facts.filter(Boolean).join(' · ')}</p>
      </div>
    </header>
  )
}
