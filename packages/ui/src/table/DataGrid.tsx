import {
  columnVisibilityFeature,
  createSortedRowModel,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import {
  type CSSProperties,
  type KeyboardEvent,
  memo,
  type ReactNode,
  type RefObject,
  startTransition,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import choice from '../choice/Choice.module.css'
import { useUiEnvironment } from '../provider/UiProvider.tsx'
import { pressedKey } from '../text/pressed-key.ts'
import { fittingColumns, widthsOf } from './column-widths.ts'
import { HeaderCell } from './DataGridHeader.tsx'
import styles from './DataTable.module.css'
import type { DataTableColumn, LoadedTableProps } from './data-table.ts'

const features = tableFeatures({
  columnVisibilityFeature,
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
})

const headingHeight = 36
const touchHeight = 44
/** Width below which a row is shown as two lines. */
const narrowBelow = 600
/** Rows drawn beyond each edge, so that a quick scroll shows no blank rows. */
const beyond = 8

/** Returns the rows in the chosen order, and the columns that are shown. */
function useArrangement<Row extends object>({ columns, rows, rowKey, settings }: LoadedTableProps<Row>) {
  const { locale = 'de' } = useUiEnvironment()
  const definitions = useMemo(() => {
    const collator = new Intl.Collator(locale, { numeric: true })
    const compare = (one: unknown, other: unknown) =>
      typeof one === 'number' && typeof other === 'number'
        ? one - other
        : collator.compare(String(one), String(other))
    return columns.map(({ id, sortBy }) => ({
      id,
      accessorFn: (row: Row) => (typeof sortBy === 'function' ? (sortBy(row) ?? undefined) : undefined),
      sortUndefined: 'last' as const,
      sortFn: (
        one: { getValue: (id: string) => unknown },
        other: { getValue: (id: string) => unknown },
        columnId: string,
      ) => compare(one.getValue(columnId), other.getValue(columnId)),
    }))
  }, [columns, locale])
  const { sort, hidden } = settings
  const state = useMemo(
    () => ({
      // A stored order may name a column that no longer exists.
      sorting: columns
        .filter(({ id, sortBy }) => id === sort?.column && typeof sortBy === 'function')
        .map(({ id }) => ({ id, desc: sort?.direction === 'descending' })),
      columnVisibility: Object.fromEntries((hidden ?? []).map((id) => [id, false])),
    }),
    [columns, sort, hidden],
  )
  const table = useTable({ features, columns: definitions, data: rows, getRowId: rowKey, state })
  const visible = table.getVisibleLeafColumns()
  // A new array of columns would render every row again.
  const shown = useMemo(() => {
    const ids = new Set(visible.map(({ id }) => id))
    return columns.filter(({ id, kind }) => kind === 'title' || ids.has(id))
  }, [columns, visible])
  return { rows: table.getRowModel().rows, columns: shown }
}

/**
 * Renders the lazily loaded part of {@link DataTable}: an ARIA grid whose rows take the focus. Only the visible rows
 * and the focused row are rendered.
 */
export function DataGrid<Item extends object>(props: LoadedTableProps<Item>) {
  const { label, rowText, settings, onSettingsChange, selected, onSelectedChange, narrow, onOpen } = props
  const scroller = useRef<HTMLDivElement>(null)
  const { width, height } = useSize(scroller)
  const isNarrow = width < narrowBelow
  const arranged = useArrangement(props)
  const { rows } = arranged
  const compact = useMemo(() => narrowColumns(props.columns, label, narrow), [props.columns, label, narrow])
  const rowHeight = Math.max(
    props.rowHeight ?? 38,
    isNarrow ? (props.narrowRowHeight ?? 56) : 0,
    isTouch() ? touchHeight : 0,
  )
  const isSelectable = selected !== undefined
  // A new array of columns would render every row again.
  const wide = useMemo(
    () => fittingColumns(arranged.columns, settings, { room: width, isSelectable }),
    [arranged.columns, settings, width, isSelectable],
  )
  const columns = isNarrow ? compact : wide

  const [active, setActive] = useState(0)
  const isMoving = useRef(false)
  const anchor = useRef(0)
  const last = rows.length - 1
  const current = Math.min(active, Math.max(0, last))

  useLayoutEffect(() => {
    if (!isMoving.current) return
    isMoving.current = false
    scroller.current?.querySelector<HTMLElement>(`[data-index="${current}"]`)?.focus({ preventScroll: true })
  }, [current])

  const select = (keys: Iterable<string>) => onSelectedChange?.(new Set(keys))
  const toggle = useToggle(selected, onSelectedChange)
  const range = (one: number, other: number) =>
    rows.slice(Math.min(one, other), Math.max(one, other) + 1).map(({ id }) => id)
  const move = (index: number, extend: boolean) => {
    const next = Math.max(0, Math.min(last, index))
    if (extend && isSelectable) select(new Set([...selected, ...range(anchor.current, next)]))
    else anchor.current = next
    const view = scroller.current
    if (view) {
      const top = next * rowHeight
      const room = view.clientHeight - headingHeight
      view.scrollTop = Math.min(top, Math.max(view.scrollTop, top + rowHeight - room))
    }
    isMoving.current = true
    setActive(next)
  }
  const press = (event: KeyboardEvent<HTMLElement>) => {
    if (!(event.target instanceof HTMLElement) || event.target.getAttribute('role') !== 'row') return
    const page = Math.max(1, Math.floor(height / rowHeight) - 2)
    const targets: Record<string, number> = {
      ArrowDown: current + 1,
      ArrowUp: current - 1,
      PageDown: current + page,
      PageUp: current - page,
      Home: 0,
      End: last,
    }
    const target = targets[event.key]
    const key = rows[current]?.id
    if (target !== undefined) move(target, event.shiftKey)
    else if (event.key === ' ' && isSelectable && key !== undefined) toggle(key)
    else if (pressedKey(event) === 'a' && (event.ctrlKey || event.metaKey) && isSelectable)
      select(rows.map(({ id }) => id))
    else if (event.key === 'Enter' && onOpen && key !== undefined) onOpen(key)
    else return
    event.preventDefault()
  }

  const widths = widthsOf(columns, settings, isSelectable)
  const isAll = isSelectable && rows.length > 0 && rows.every(({ id }) => selected.has(id))
  return (
    <div
      ref={scroller}
      className={styles.scroller}
      style={
        {
          // The height omits the last row's border, which would double that of the card.
          height: `min(${headingHeight + rows.length * rowHeight - 1}px, ${props.maxHeight ?? '70vh'})`,
          '--columns': widths.template,
          '--least': `${widths.least}px`,
        } as CSSProperties
      }
    >
      <div
        role="grid"
        tabIndex={-1}
        className={styles.grid}
        aria-label={label}
        aria-rowcount={rows.length + 1}
        aria-colcount={columns.length + (isSelectable ? 1 : 0)}
        aria-multiselectable={isSelectable || undefined}
        onKeyDown={press}
      >
        <div role="rowgroup" className={styles.head}>
          <div role="row" className={styles.columns} style={{ height: headingHeight }} aria-rowindex={1}>
            {isSelectable && (
              <div role="columnheader" className={styles.column} data-kind="select">
                <input
                  type="checkbox"
                  className={choice.box}
                  aria-label={label}
                  checked={isAll}
                  ref={(input) => {
                    if (input) input.indeterminate = !isAll && rows.some(({ id }) => selected.has(id))
                  }}
                  onChange={() => select(isAll ? [] : rows.map(({ id }) => id))}
                />
              </div>
            )}
            {columns.map((column) => (
              <HeaderCell
                key={column.id}
                column={column}
                isResizable={!isNarrow}
                {...{ settings, onSettingsChange }}
              />
            ))}
          </div>
        </div>
        <GridBody
          scroller={scroller}
          rows={rows}
          columns={columns}
          rowHeight={rowHeight}
          height={height}
          current={current}
          selected={selected}
          rowText={rowText}
          onFocus={setActive}
          onToggle={toggle}
          onOpen={onOpen}
        />
      </div>
    </div>
  )
}

interface GridBodyProps<Item extends object>
  extends Pick<LoadedTableProps<Item>, 'columns' | 'selected' | 'rowText' | 'onOpen'> {
  scroller: RefObject<HTMLDivElement | null>
  rows: readonly { id: string; original: Item }[]
  rowHeight: number
  /** Height of the visible part. */
  height: number
  /** Index of the row that takes the focus. */
  current: number
  onFocus: (index: number) => void
  onToggle: (key: string) => void
}

/** Renders the visible rows. A scroll renders only this part of the grid. */
function GridBody<Item extends object>(props: GridBodyProps<Item>) {
  const { rows, columns, rowHeight, height, current, selected, rowText, onFocus, onToggle, onOpen } = props
  const first = useFirstRow(props.scroller, rowHeight)
  const last = rows.length - 1
  const from = Math.max(0, first - beyond)
  const to = Math.min(last, first + Math.ceil(height / rowHeight) + beyond)
  const drawn = Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index)
  if (rows.length > 0 && !drawn.includes(current)) drawn.push(current)
  return (
    <div role="rowgroup" className={styles.body} style={{ height: rows.length * rowHeight }}>
      {drawn.map((index) => {
        const row = rows[index]
        return (
          row && (
            <GridRow
              key={row.id}
              id={row.id}
              row={row.original}
              index={index}
              top={index * rowHeight}
              height={rowHeight}
              columns={columns}
              text={rowText(row.original)}
              isActive={index === current}
              isSelected={selected?.has(row.id)}
              onFocus={onFocus}
              onToggle={onToggle}
              onOpen={onOpen}
            />
          )
        )
      })}
    </div>
  )
}

/** Returns a function that adds or removes one key. Its identity is stable, so that rows do not render again. */
function useToggle(
  selected: ReadonlySet<string> | undefined,
  onChange: ((selected: ReadonlySet<string>) => void) | undefined,
): (key: string) => void {
  const latest = useRef({ selected, onChange })
  useLayoutEffect(() => {
    latest.current = { selected, onChange }
  })
  return useCallback((key) => {
    const next = new Set(latest.current.selected)
    if (!next.delete(key)) next.add(key)
    latest.current.onChange?.(next)
  }, [])
}

interface GridRowProps<Row extends object> {
  id: string
  row: Row
  index: number
  top: number
  height: number
  columns: readonly DataTableColumn<Row>[]
  text: string
  isActive: boolean
  isSelected: boolean | undefined
  onFocus: (index: number) => void
  onToggle: (key: string) => void
  onOpen: ((key: string) => void) | undefined
}

function PlainRow<Row extends object>(props: GridRowProps<Row>) {
  const { id, row, index, top, height, columns, text, isActive, isSelected, onFocus, onToggle, onOpen } =
    props
  return (
    <div
      role="row"
      className={styles.row}
      style={{ top, height }}
      data-index={index}
      data-selected={isSelected || undefined}
      tabIndex={isActive ? 0 : -1}
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      aria-label={text}
      onFocus={() => onFocus(index)}
      onDoubleClick={() => onOpen?.(id)}
    >
      {isSelected !== undefined && (
        <div role="gridcell" className={styles.cell} data-kind="select">
          <input
            type="checkbox"
            className={choice.box}
            tabIndex={-1}
            aria-label={text}
            checked={isSelected}
            onChange={() => onToggle(id)}
          />
        </div>
      )}
      {columns.map(({ id: column, kind = 'text', cell }) => (
        <div
          key={column}
          role={kind === 'title' ? 'rowheader' : 'gridcell'}
          className={styles.cell}
          data-kind={kind}
        >
          {cell(row)}
        </div>
      ))}
    </div>
  )
}

// `memo` loses the type parameter.
const GridRow = memo(PlainRow) as typeof PlainRow

function narrowColumns<Row extends object>(
  columns: readonly DataTableColumn<Row>[],
  label: string,
  narrow: (row: Row) => ReactNode,
): DataTableColumn<Row>[] {
  const title = columns.find(({ kind }) => kind === 'title')
  return [
    {
      id: title?.id ?? 'narrow',
      header: title?.header ?? label,
      cell: narrow,
      kind: 'title',
      sortBy: title?.sortBy,
    },
    ...columns.filter(({ kind }) => kind === 'actions'),
  ]
}

const isTouch = () => matchMedia('(pointer: coarse)').matches

/** Returns the size of the visible part. */
function useSize(scroller: RefObject<HTMLDivElement | null>) {
  const [size, setSize] = useState({ width: Number.POSITIVE_INFINITY, height: 600 })
  // Measured before the first paint, because a narrow grid has higher rows.
  useLayoutEffect(() => {
    if (!scroller.current) return
    // oxlint-disable-next-line react/set-state-in-effect -- the layout can be measured only here
    setSize({ width: scroller.current.clientWidth, height: scroller.current.clientHeight })
    const observer = new ResizeObserver(([entry]) => {
      if (!entry) return
      const { width, height } = entry.contentRect
      setSize({ width, height })
    })
    observer.observe(scroller.current)
    return () => observer.disconnect()
  }, [scroller])
  return size
}

/** Returns the index of the first visible row. It changes row by row, so that no frame renders many new rows. */
function useFirstRow(scroller: RefObject<HTMLDivElement | null>, rowHeight: number): number {
  const [first, setFirst] = useState(0)
  useEffect(() => {
    const view = scroller.current
    if (!view) return
    // The rows beyond the edges cover the delay, so the browser may paint frames while React renders.
    const onScroll = () => startTransition(() => setFirst(Math.floor(view.scrollTop / rowHeight)))
    onScroll()
    view.addEventListener('scroll', onScroll, { passive: true })
    return () => view.removeEventListener('scroll', onScroll)
  }, [scroller, rowHeight])
  return first
}
