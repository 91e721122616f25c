import { Badge, IconButton } from '@pult/ui'
import ListChecks from 'lucide-react/icons/list-checks'
import { type ComponentType, type CSSProperties, type RefObject, useEffect, useRef, useState } from 'react'
import { notify } from '#platform/notify.ts'
import { useStore } from '#platform/use-store.ts'
import styles from './TasksButton.module.css'
import { texts } from './tasks-button.texts.ts'
import { tasksGlance, tasksPanel } from './tasks-glance.ts'

const nextTry = 10_000

type Panel = ComponentType<{ open: boolean; anchor: RefObject<HTMLButtonElement | null> }>

/**
 * How many tasks of the active project run, and how far they are; opens their panel. What watches the tasks, and the panel,
 * are no part of the frame: they are fetched when that is on screen.
 */
export function TasksButton({ projectId }: { projectId: string | undefined }) {
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

  return (
    <>
      <IconButton
        ref={button}
        label={texts.tasks(running)}
        icon={
          <span
            className={styles.icon}
            data-running={running > 0 || undefined}
            data-unknown={percent === null || undefined}
            style={{ '--percent': percent } as CSSProperties}
          >
            <ListChecks aria-hidden="true" />
          </span>
        }
        badge={<Badge count={running} />}
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => tasksPanel.set(!open)}
      />
      {Panel && <Panel open={open} anchor={button} />}
    </>
  )
}

function watch(projectId: string): () => void {
  let stop: (() => void) | null = null
  let timer = 0
  let isOver = false
  const load = () => {
    import('./watch-tasks.ts').then(
      ({ watchTasks }) => {
        if (!isOver) stop = watchTasks(projectId)
      },
      () => {
        if (!isOver) timer = window.setTimeout(load, nextTry)
      },
    )
  }
  load()
  return () => {
    isOver = true
    clearTimeout(timer)
    stop?.()
  }
}
