import { Dialog, Popover } from '@pult/ui'
import type { RefObject } from 'react'
import { useMedia } from '#platform/use-media.ts'
import { useActiveProject } from '../projects/projects.queries.ts'
import { NoProject } from './NoProject.tsx'
import { PanelContent } from './PanelContent.tsx'
import styles from './TasksPanel.module.css'
import { texts } from './tasks.texts.ts'
import { tasksPanel } from './tasks-glance.ts'

interface TasksPanelProps {
  open: boolean
  anchor: RefObject<HTMLButtonElement | null>
}

const close = () => tasksPanel.set(false)

/** The tasks of the active project: a panel below their button, or a sheet on a phone. */
export function TasksPanel({ open, anchor }: TasksPanelProps) {
  const project = useActiveProject()
  // The width at which dialogs become sheets.
  const isPhone = useMedia('(max-width: 480px)')
  const content = (
    <div className={styles.panel}>
      {project === null ? (
        <NoProject onLeave={close} />
      ) : (
        <PanelContent key={project._id} project={project} onLeave={close} withTitle={!isPhone} />
      )}
    </div>
  )
  if (isPhone) {
    return (
      <Dialog open={open} title={texts.title} onClose={close}>
        {content}
      </Dialog>
    )
  }
  return (
    <Popover open={open} anchor={anchor} label={texts.title} onClose={close}>
      {content}
    </Popover>
  )
}
