import type { Project, Task } from '@pult/contract'
import { useRowsInView } from '@pult/sdk/task-list'
import { Button } from '@pult/ui'
import { type ReactNode, useCallback } from 'react'
import { TaskRow } from './TaskRow.tsx'
import styles from './TaskRows.module.css'
import { texts } from './tasks.texts.ts'

/** All rows are of one height, so that their places follow from their numbers. */
const rowHeight = matchMedia('(pointer: coarse)').matches ? 132 : 116

interface TaskRowsProps {
  project: Project
  ids: readonly string[]
  onAbort: (task: Task) => void
  onDetails: (taskId: string) => void
  /** There are older ones. */
  older: { load: () => void; isPending: boolean } | null
  /** What stands in place of no rows at all. */
  empty: ReactNode
}

/** The tasks, of which only those in view are in the document. */
export function TaskRows({ project, ids, onAbort, onDetails, older, empty }: TaskRowsProps) {
  const [scroller, inView] = useRowsInView<HTMLDivElement>(rowHeight)
  const shown = ids.slice(inView.first, inView.last + 1)
  // The row goes, and the focus would go with it.
  const keepFocus = useCallback(() => scroller.current?.focus(), [scroller])
  return (
    <div
      ref={scroller}
      className={styles.scroller}
      role="region"
      aria-label={texts.list}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- It scrolls, by the keyboard as well.
      tabIndex={0}
    >
      {ids.length === 0 && empty}
      <ul className={styles.list} style={{ height: ids.length * rowHeight }}>
        {shown.map((taskId, at) => (
          <li
            key={taskId}
            className={styles.row}
            style={{ top: (inView.first + at) * rowHeight, height: rowHeight }}
            aria-posinset={inView.first + at + 1}
            aria-setsize={older === null ? ids.length : -1}
          >
            <TaskRow
              project={project}
              taskId={taskId}
              onAbort={onAbort}
              onArchived={keepFocus}
              onDetails={onDetails}
            />
          </li>
        ))}
      </ul>
      {older && (
        <div className={styles.older}>
          <Button variant="ghost" pending={older.isPending} onClick={older.load}>
            {texts.older}
          </Button>
        </div>
      )}
    </div>
  )
}
