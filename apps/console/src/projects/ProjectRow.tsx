import type { Project } from '@pult/contract'
import { contrastText, IconButton, StatusDot } from '@pult/ui'
import Star from 'lucide-react/icons/star'
import type { CSSProperties } from 'react'
import { arrowStop } from '#platform/arrow-keys.ts'
import { notify } from '#platform/notify.ts'
import { openProject } from './open-project.ts'
import styles from './ProjectRow.module.css'
import { useSetDefaultProject } from './project-list.queries.ts'
import { useActiveProject } from './projects.queries.ts'
import { texts } from './projects.texts.ts'

export function ProjectRow({ project }: { project: Project }) {
  const { mutateAsync: setDefault, isPending } = useSetDefaultProject()
  const isActive = useActiveProject()?._id === project._id
  const { label, isDefault, meta } = project
  const facts = [meta.customer, meta.projectId].filter((fact) => fact !== '')

  const makeDefault = async () => {
    try {
      await setDefault(project._id)
    } catch (error) {
      notify.error(texts.setDefaultFailed, error)
    }
  }

  return (
    <li className={styles.row}>
      <button
        {...arrowStop}
        type="button"
        className={styles.choice}
        aria-current={isActive || undefined}
        onClick={() => openProject(project)}
      >
        <Initial project={project} />
        <span className={styles.texts}>
          <span className={styles.label}>{label}</span>
          {facts.length > 0 && <span className={styles.facts}>{facts.join(' · ')}</span>}
        </span>
        {isActive && <StatusDot status="success">{texts.active}</StatusDot>}
      </button>
      {isDefault ? (
        <span className={styles.default}>
          <Star aria-hidden="true" />
          {texts.isDefault}
        </span>
      ) : (
        <IconButton
          label={texts.setDefault(label)}
          icon={<Star aria-hidden="true" />}
          disabled={isPending}
          onClick={() => void makeDefault()}
        />
      )}
    </li>
  )
}

function Initial({ project: { label, config } }: { project: Project }) {
  const [initial] = label.trim()
  const color = config.consoleColor
  const colors = { '--project': color, '--on-project': contrastText(color) } as CSSProperties
  return (
    <span className={styles.initial} style={colors} aria-hidden="true">
      {initial?.toUpperCase()}
    </span>
  )
}
