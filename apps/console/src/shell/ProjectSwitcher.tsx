import { VisuallyHidden } from '@pult/ui'
import ChevronsUpDown from 'lucide-react/icons/chevrons-up-down'
import FolderPlus from 'lucide-react/icons/folder-plus'
import type { ComponentProps } from 'react'
import { useActiveProject } from '../projects/projects.queries.ts'
import { Dropdown } from './Dropdown.tsx'
import styles from './ProjectSwitcher.module.css'
import { ProjectTile } from './ProjectTile.tsx'
import { texts } from './shell.texts.ts'

const load = async () => (await import('./ProjectChoice.tsx')).ProjectChoice

/** Shows the active project and switches to another one. */
export function ProjectSwitcher() {
  return <Dropdown layer="projects" button={SwitcherButton} load={load} />
}

function SwitcherButton(attributes: ComponentProps<'button'>) {
  const project = useActiveProject()
  return (
    <button type="button" className={styles.button} {...attributes}>
      {project ? (
        <>
          <VisuallyHidden>{texts.activeProject}</VisuallyHidden>
          <ProjectTile project={project} />
          <span className={styles.texts}>
            <span className={styles.label}>{project.label}</span>
            <span className={styles.detail} aria-hidden="true">
              {project.orgLabel ?? texts.privateProject}
            </span>
          </span>
        </>
      ) : (
        <>
          <FolderPlus aria-hidden="true" />
          <span className={styles.texts}>
            <span className={styles.label}>{texts.chooseProject}</span>
          </span>
        </>
      )}
      <ChevronsUpDown aria-hidden="true" className={styles.chevron} />
    </button>
  )
}
