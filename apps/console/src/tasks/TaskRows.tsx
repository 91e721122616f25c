import type { Project, Task } from '@pult/contract'
import { useRowsInView } from '@pult/sdk/task-list'
import { Button, ScrollRegion, textScale } from '@pult/ui'
import { type KeyboardEvent, type ReactNode, useCallback, useLayoutEffect, useState } from 'react'
import { TaskRow } from './TaskRow.tsx'
import styles from './TaskRows.module.css'
import { texts } from './tasks.texts.ts'

/**
 * Height of a row in pixels of the usual font size. All rows have the same, so that their positions follow from their
 * indices.
 */
const usualRowHeight = matchMedia('(pointer: coarse)').matches ? 132 : 116

interface TaskRowsProps {
  project: Project
  ids: readonly string[]
  onAbort: (task: Task) => void
  onDetails: (taskId: string) => void
  /** Loads older tasks; null on the last page. */
  older: { load: () => void; isPending: boolean } | null
  /** Shown instead of an empty list. */
  empty: ReactNode
}

/** The list of tasks. Only rows in view are rendered. */
export function TaskRows({ project, ids, onAbort, onDetails, older, empty }: TaskRowsProps) {
  // Rows grow with their texts.
  const [rowHeight] = useState(() => Math.round(usualRowHeight * textScale()))
  const [scroller, drawn] = useRowsInView<HTMLDivElement>(rowHeight)
  const shown = ids.slice(drawn.first, drawn.last + 1)
  const [pendingFocus, setPendingFocus] = useState<number | null>(null)
  // Focuses the first or last row once scrolling has rendered it.
  useLayoutEffect(() => {
    if (pendingFocus === null) return
    const row = scroller.current?.querySelector(`[aria-posinset="${pendingFocus + 1}"]`)
    const control = row?.querySelector<HTMLElement>('a[href], button')
    if (!control) return
    setPendingFocus(null)
    control.focus({ preventScroll: true })
  }, [pendingFocus, scroller, drawn])
  const jump = (event: KeyboardEvent) => {
    const { key, altKey, ctrlKey, metaKey, shiftKey } = event
    if (!/^(?:Home|End)$/.test(key) || altKey || ctrlKey || metaKey || shiftKey) return
    event.preventDefault()
    const isEnd = key === 'End'
    scroller.current?.scrollTo({ top: isEnd ? scroller.current.scrollHeight : 0 })
    setPendingFocus(isEnd ? ids.length - 1 : 0)
  }
  // Archiving removes the focused row.
  const keepFocus = useCallback(() => scroller.current?.focus(), [scroller])
  return (
    <ScrollRegion
      ref={scroller}
      className={styles.scroller}
      role="region"
      aria-label={texts.list}
      onKeyDown={jump}
    >
      {ids.length === 0 && empty}
      <ul className={styles.list} style={{ height: ids.length * rowHeight }}>
        {shown.map((taskId, at) => (
          <li
            key={taskId}
            className={styles.row}
            style={{ top: (drawn.first + at) * rowHeight, height: rowHeight }}
            aria-posinset={drawn.first + at + 1}
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
    </ScrollRegion>
  )
}
