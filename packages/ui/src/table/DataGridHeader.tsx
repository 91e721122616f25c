import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import { textScale } from '../text/text-scale.ts'
import { VisuallyHidden } from '../text/VisuallyHidden.tsx'
import { leastOf } from './column-widths.ts'
import styles from './DataTable.module.css'
import type { DataTableColumn, DataTableProps } from './data-table.ts'

const keyStep = 16

const reverse = { ascending: 'descending', descending: 'ascending' } as const

interface HeaderCellProps<Row extends object>
  extends Pick<DataTableProps<Row>, 'settings' | 'onSettingsChange'> {
  column: DataTableColumn<Row>
  isResizable: boolean
}

/** Renders the header of a column: a button that sorts, and a handle that resizes by pointer or arrow keys. */
export function HeaderCell<Row extends object>({
  column,
  settings,
  onSettingsChange,
  isResizable,
}: HeaderCellProps<Row>) {
  const { id, header, kind = 'text', sortBy, sortsFirst = 'ascending' } = column
  const cell = useRef<HTMLDivElement>(null)
  const drag = useRef<{ x: number; width: number } | undefined>(undefined)
  const direction = settings.sort?.column === id ? settings.sort.direction : undefined
  const sort = () =>
    onSettingsChange({
      ...settings,
      sort: { column: id, direction: direction === undefined ? sortsFirst : reverse[direction] },
    })
  const widthNow = () => (cell.current?.getBoundingClientRect().width ?? 0) / textScale()
  const resize = (width: number) =>
    onSettingsChange({
      ...settings,
      widths: { ...settings.widths, [id]: Math.round(Math.max(leastOf(column), width)) },
    })
  const handle = {
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0) return
      event.currentTarget.setPointerCapture(event.pointerId)
      drag.current = { x: event.clientX, width: widthNow() }
    },
    onPointerMove: (event: PointerEvent) => {
      if (drag.current) resize(drag.current.width + (event.clientX - drag.current.x) / textScale())
    },
    // Follows the release, also one that the system takes over.
    onLostPointerCapture: () => {
      drag.current = undefined
    },
    onKeyDown: (event: KeyboardEvent) => {
      const change = { ArrowLeft: -keyStep, ArrowRight: keyStep }[event.key]
      if (change === undefined) return
      event.preventDefault()
      resize(widthNow() + change)
    },
  }
  return (
    <div
      ref={cell}
      role="columnheader"
      className={styles.column}
      data-kind={kind}
      aria-label={header}
      aria-sort={sortBy === undefined ? undefined : (direction ?? 'none')}
    >
      {kind === 'actions' ? (
        <VisuallyHidden>{header}</VisuallyHidden>
      ) : sortBy === undefined ? (
        <span className={styles.name}>{header}</span>
      ) : (
        <button type="button" className={styles.sort} onClick={sort}>
          <span className={styles.name}>{header}</span>
          {direction === 'ascending' && <ArrowUp className={styles.arrow} aria-hidden="true" />}
          {direction === 'descending' && <ArrowDown className={styles.arrow} aria-hidden="true" />}
        </button>
      )}
      {isResizable && kind !== 'actions' && (
        <div
          role="separator"
          className={styles.resizer}
          tabIndex={0}
          aria-orientation="vertical"
          aria-label={header}
          aria-valuenow={settings.widths?.[id] ?? leastOf(column)}
          aria-valuemin={leastOf(column)}
          {...handle}
        />
      )}
    </div>
  )
}
