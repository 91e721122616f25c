import { Badge, IconButton } from '@pult/ui'
import ListChecks from 'lucide-react/icons/list-checks'
import { type ComponentType, type CSSProperties, type RefObject, useEffect, useRef, useState } from 'react'
import { keepLoading } from '#platform/failed-load.ts'
import { notify } from '#platform/notify.ts'
import { useStore } from '#platform/use-store.ts'
import styles from './TasksButton.module.css'
import { texts } from './tasks-button.texts.ts'
import { tasksGlance, tasksPanel } from './tasks-glance.ts'

type Panel = ComponentType<{ open: boolean; anchor: RefObject<HTMLButtonElement | null> }>

interface TasksButtonProps {
  projectId: string | undefined
  /** Shown below the icon. */
  caption?: string
  className?: string | undefined
}

/**
 * Shows the number and progress of running tasks in the active project, and opens their panel. The task watcher and
 * the panel load once the frame is on screen.
 */
export function TasksButton({ projectId, caption, className }: TasksButtonProps) {
  const { running, percent } = useStore(tasksGlance)
  const open = useStore(tasksPanel)
  const button = useRef<HTMLButtonElement>(null)
  const [Panel, setPanel] = useState<Panel | null>(null)

  useEffect(() => (projectId === undefined ? undefined : watch(projectId)), [projectId])
  useEffect(() => {
    if (!open || Panel !== null) return
    import('./TasksPanel.tsx').then(
      (loaded) => setPanel(() => loaded.TasksPanel),
      (error: unknown) => {
        tasksPanel.set(false)
        notify.error(texts.panelFailed, error)
      },
    )
  }, [open, Panel])

  const icon = (
    <span
      className={styles.icon}
      data-running={running > 0 || undefined}
      data-unknown={percent === null || undefined}
      style={{ '--percent': percent } as CSSProperties}
    >
      <ListChecks aria-hidden="true" />
    </span>
  )
  const attributes = {
    ref: button,
    'aria-haspopup': 'dialog',
    'aria-expanded': open,
    onClick: () => tasksPanel.set(!open),
  } as const
  return (
    <>
      {caption === undefined ? (
        <IconButton
          label={texts.tasks(running)}
          icon={icon}
          badge={running > 0 ? <Badge count={running} /> : undefined}
          {...attributes}
        />
      ) : (
        <button type="button" className={className} aria-label={texts.tasks(running)} {...attributes}>
          {icon}
          {/* The visible text matches the start of the name, "Tasks 1", for users of voice control. */}
          {`${caption} `}
          <span className={styles.count}>
            <Badge count={running} />
          </span>
        </button>
      )}
      {Panel && <Panel open={open} anchor={button} />}
    </>
  )
}

function watch(projectId: string): () => void {
  let stop: (() => void) | null = null
  const stopLoading = keepLoading(
    () => import('./watch-tasks.ts'),
    ({ watchTasks }) => {
      stop = watchTasks(projectId)
    },
  )
  return () => {
    stopLoading()
    stop?.()
  }
}
