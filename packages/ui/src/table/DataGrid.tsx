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
import { useKeptPlace } from '../layout/use-kept-place.ts'
import { usePrinting } from '../layout/use-printing.ts'
import { compareNames } from '../text/compare-names.ts'
import { pressedKey } from '../text/pressed-key.ts'
import { textScale } from '../text/text-scale.ts'
import { fittingColumns, inRem, widthsOf } from './column-widths.ts'
import { HeaderCell } from './DataGridHeader.tsx'
import styles from './DataTable.module.css'
import type { DataTableColumn, LoadedTableProps } from './data-table.ts'
import { useTypedText } from './use-typed-text.ts'

const features = tableFeatures({
  columnVisibilityFeature,
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
})

/** Height of the header in pixels of the usual font size. */
const headHeight = 36
const touchHeight = 44
/** Width below which a row is shown as two lines, in pixels of the usual font size. */
const narrowBelow = 600
/** Rows drawn beyond each edge, so that a quick scroll shows no blank rows. */
const beyond = 8

/** Returns the rows in the chosen order, and the columns that are shown. */
function useArrangement<Row extends object>({ columns, rows, rowKey, settings }: LoadedTableProps<Row>) {
  const definitions = useMemo(() => {
    const compare = (one: unknown, other: unknown) =>
      typeof one === 'number' && typeof other === 'number'
        ? one - other
        : compareNames(String(one), String(other))
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
  }, [columns])
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

/** The row that takes the focus, by its key, because a live list gains rows above it. */
interface ActiveRow {
  /** Null until a row has had the focus. */
  key: string | null
  index: number
}

/**
 * Renders the lazily loaded part of {@link DataTable}: an ARIA grid whose rows take the focus. Only the visible rows
 * and the focused row are rendered.
 */
export function DataGrid<Item extends object>(props: LoadedTableProps<Item>) {
  const { label, page, rowText, settings, onSettingsChange, onSelectedChange, narrow, onOpen } = props
  const scroller = useRef<HTMLDivElement>(null)
  const { width, height } = useSize(scroller)
  const isPrinting = usePrinting()
  // Rows and columns have pixels of the usual font size, so that they grow with their texts.
  const [scale] = useState(textScale)
  const room = width / scale
  const isNarrow = room < narrowBelow
  const arranged = useArrangement(props)
  const { rows } = arranged
  const compact = useMemo(() => narrowColumns(props.columns, label, narrow), [props.columns, label, narrow])
  const headingHeight = Math.round(scale * headHeight)
  const rowHeight = Math.max(
    Math.round(scale * Math.max(props.rowHeight ?? 38, isNarrow ? (props.narrowRowHeight ?? 56) : 0)),
    isTouch() ? touchHeight : 0,
  )
  // Paper has no controls.
  const selected = isPrinting ? undefined : props.selected
  const isSelectable = selected !== undefined
  // A new array of columns would render every row again.
  const wide = useMemo(
    () => fittingColumns(arranged.columns, settings, { room, isSelectable }),
    [arranged.columns, settings, room, isSelectable],
  )
  const shown = isNarrow ? compact : wide
  const columns = isPrinting ? shown.filter(({ kind }) => kind !== 'actions') : shown

  const { left, leave } = useKeptPlace(label)
  useKeptScroll(scroller, left.top, leave)
  const [active, setActive] = useState<ActiveRow>({ key: left.row, index: 0 })
  const isMoving = useRef(false)
  const anchor = useRef<string | null>(null)
  const last = rows.length - 1
  const indexOf = (key: string | null) => rows.findIndex(({ id }) => id === key)
  const found = indexOf(active.key)
  // If the row has left, the one at its place follows it.
  const current = found === -1 ? Math.max(0, Math.min(active.index, last)) : found

  useEffect(() => leave({ row: active.key }), [active.key, leave])
  useLayoutEffect(() => {
    if (!isMoving.current) return
    isMoving.current = false
    scroller.current?.querySelector<HTMLElement>(`[data-index="${current}"]`)?.focus({ preventScroll: true })
  }, [active, current])

  const focusRow = useCallback(
    (key: string, index: number) =>
      setActive((before) => (before.key === key && before.index === index ? before : { key, index })),
    [],
  )
  const select = (keys: Iterable<string>) => onSelectedChange?.(new Set(keys))
  const selectRows = (keys: readonly string[]) => select([...(selected ?? []), ...keys])
  const toggle = useToggle(selected, onSelectedChange)
  const range = (one: number, other: number) =>
    rows.slice(Math.min(one, other), Math.max(one, other) + 1).map(({ id }) => id)
  const move = (index: number, extend = false) => {
    const next = Math.max(0, Math.min(last, index))
    const key = rows[next]?.id ?? null
    if (extend && isSelectable) {
      const begin = indexOf(anchor.current)
      selectRows(range(begin === -1 ? current : begin, next))
    } else anchor.current = key
    const view = scroller.current
    if (view) {
      const top = next * rowHeight
      const free = view.clientHeight - headingHeight
      view.scrollTop = Math.min(top, Math.max(view.scrollTop, top + rowHeight - free))
    }
    isMoving.current = true
    setActive({ key, index: next })
  }
  const typed = useTypedText()
  const press = (event: KeyboardEvent<HTMLElement>) => {
    if (!(event.target instanceof HTMLElement) || event.target.getAttribute('role') !== 'row') return
    const begun = typed(event)
    const visible = Math.max(1, Math.floor(height / rowHeight) - 2)
    const targets: Record<string, number> = {
      ArrowDown: current + 1,
      ArrowUp: current - 1,
      PageDown: current + visible,
      PageUp: current - visible,
      Home: 0,
      End: last,
    }
    const target = targets[event.key]
    const key = rows[current]?.id
    if (begun !== null) {
      const match = begun(
        rows.map(({ original }) => rowText(original)),
        current,
      )
      if (match !== null) move(match)
    } else if (target !== undefined) move(target, event.shiftKey)
    else if (event.key === ' ' && isSelectable && key !== undefined) toggle(key)
    else if (pressedKey(event) === 'a' && (event.ctrlKey || event.metaKey) && isSelectable)
      selectRows(rows.map(({ id }) => id))
    else if (event.key === 'Enter' && onOpen && key !== undefined) onOpen(key)
    else return
    event.preventDefault()
  }

  const widths = widthsOf(columns, settings, isSelectable)
  const isAll = isSelectable && rows.length > 0 && rows.every(({ id }) => selected.has(id))
  // Rows of other pages stay selected.
  const selectAll = () => {
    const keys = new Set(rows.map(({ id }) => id))
    if (isAll) select([...(selected ?? [])].filter((key) => !keys.has(key)))
    else selectRows([...keys])
  }
  return (
    <div
      ref={scroller}
      className={styles.scroller}
      style={
        {
          height: `min(${headingHeight + bodyHeight(rows.length, rowHeight)}px, ${props.maxHeight ?? '70vh'})`,
          '--columns': widths.template,
          '--least': inRem(widths.least),
          '--paper': widths.paper,
        } as CSSProperties
      }
    >
      <div
        role="grid"
        tabIndex={-1}
        className={styles.grid}
        aria-label={label}
        aria-rowcount={page?.isCapped === true ? -1 : Math.max(page?.total ?? 0, rows.length) + 1}
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
                  onChange={selectAll}
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
          isWhole={isPrinting}
          before={page?.before ?? 0}
          current={current}
          selected={selected}
          rowText={rowText}
          onFocus={focusRow}
          onToggle={toggle}
          onOpen={onOpen}
        />
      </div>
    </div>
  )
}

/** Omits the last row's border, which would double that of the card. */
const bodyHeight = (count: number, rowHeight: number) => Math.max(0, count * rowHeight - 1)

interface GridBodyProps<Item extends object>
  extends Pick<LoadedTableProps<Item>, 'columns' | 'selected' | 'rowText' | 'onOpen'> {
  scroller: RefObject<HTMLDivElement | null>
  rows: readonly { id: string; original: Item }[]
  rowHeight: number
  /** Height of the visible part. */
  height: number
  /** Renders the rows out of view, too. */
  isWhole: boolean
  /** Number of records on the previous pages. */
  before: number
  /** Index of the row that takes the focus. */
  current: number
  onFocus: (key: string, index: number) => void
  onToggle: (key: string) => void
}

/** Renders the visible rows. A scroll renders only this part of the grid. */
function GridBody<Item extends object>(props: GridBodyProps<Item>) {
  const { rows, columns, rowHeight, height, isWhole, before, current, selected } = props
  const { rowText, onFocus, onToggle, onOpen } = props
  const first = useFirstRow(props.scroller, rowHeight)
  const last = rows.length - 1
  const from = isWhole ? 0 : Math.max(0, first - beyond)
  const to = isWhole ? last : Math.min(last, first + Math.ceil(height / rowHeight) + beyond)
  const drawn = Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index)
  if (rows.length > 0 && !drawn.includes(current)) drawn.push(current)
  return (
    <div role="rowgroup" className={styles.body} style={{ height: bodyHeight(rows.length, rowHeight) }}>
      {drawn.map((index) => {
        const row = rows[index]
        return (
          row && (
            <GridRow
              key={row.id}
              id={row.id}
              row={row.original}
              index={index}
              place={before + index}
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
  /** Index among the records of all pages. */
  place: number
  top: number
  height: number
  columns: readonly DataTableColumn<Row>[]
  text: string
  isActive: boolean
  isSelected: boolean | undefined
  onFocus: (key: string, index: number) => void
  onToggle: (key: string) => void
  onOpen: ((key: string) => void) | undefined
}

function PlainRow<Row extends object>(props: GridRowProps<Row>) {
  const { id, row, index, place, top, height, columns, text, isActive, isSelected } = props
  const { onFocus, onToggle, onOpen } = props
  return (
    <div
      role="row"
      className={styles.row}
      style={{ top, height }}
      data-index={index}
      data-selected={isSelected || undefined}
      tabIndex={isActive ? 0 : -1}
      aria-rowindex={place + 2}
      aria-selected={isSelected}
      aria-label={text}
      onFocus={() => onFocus(id, index)}
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
          {contentOf(cell(row))}
        </div>
      ))}
    </div>
  )
}

/** Wraps text, because only an element can end with an ellipsis. */
const contentOf = (content: ReactNode) =>
  typeof content === 'string' || typeof content === 'number' ? (
    <span className={styles.text}>{content}</span>
  ) : (
    content
  )

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

/** Scrolls to where the user has left the list, and notes where they leave it. */
function useKeptScroll(
  scroller: RefObject<HTMLDivElement | null>,
  first: number,
  leave: (place: { top: number }) => void,
): void {
  useLayoutEffect(() => {
    const view = scroller.current
    if (!view) return
    view.scrollTop = first
    const onScroll = () => leave({ top: view.scrollTop })
    view.addEventListener('scroll', onScroll, { passive: true })
    return () => view.removeEventListener('scroll', onScroll)
  }, [scroller, first, leave])
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
