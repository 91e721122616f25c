import { type CSSProperties, type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { Skeleton } from '../feedback/Skeleton.tsx'
import { VisuallyHidden } from '../text/VisuallyHidden.tsx'
import styles from './Table.module.css'

export interface TableColumn<Row> {
  /** Header of the column; also the label of each value in a card. */
  header: string
  /** Content of the cell; a card omits it when it is null. */
  cell: (row: Row) => ReactNode
  /**
   * `title`: the row's name, used as the heading of its card. `actions`: buttons at the row's end, whose header is
   * for screen readers only.
   */
  kind?: 'title' | 'actions' | undefined
}

export interface TableProps<Row> {
  /** Label of the table ("Active devices") for screen readers. */
  label: string
  columns: readonly TableColumn<Row>[]
  /** `undefined` while the rows load. For an empty list, show an EmptyState instead of a table. */
  rows: readonly Row[] | undefined
  rowKey: (row: Row) => string
  /** Width in CSS pixels below which rows become cards or `narrow` rows; at least 600. */
  needs?: number | undefined
  /** Content of a row if the columns do not fit: two lines, beside the actions. Without it the row becomes a card. */
  narrow?: ((row: Row) => ReactNode) | undefined
}

/** The elements' own roles, repeated because some browsers drop them when the layout is not a table. */
const roles = {
  table: { role: 'table' },
  rowgroup: { role: 'rowgroup' },
  row: { role: 'row' },
  columnheader: { role: 'columnheader' },
  rowheader: { role: 'rowheader' },
  cell: { role: 'cell' },
} as const

/** Number of columns from which a table needs more width. */
const manyColumns = 6

/** Width below which all tables are cards, as in their styles. */
const cardsBelow = 600

/** Number of placeholder rows while the rows load. */
const awaitedRows = 2

/** Renders a plain table of records whose rows become cards if the columns do not fit. Use it in a flush Card. */
export function Table<Row>({ label, columns: given, rows, rowKey, needs, narrow }: TableProps<Row>) {
  const isWide = given.length >= manyColumns
  const least = needs ?? (isWide ? 720 : cardsBelow)
  const room = { '--room': `${least - cardsBelow}px` } as CSSProperties
  const frame = useRef<HTMLDivElement>(null)
  const isNarrow = useIsNarrow(frame, narrow === undefined ? 0 : least)
  const columns = isNarrow && narrow !== undefined ? narrowColumns(given, narrow) : given
  return (
    <div
      ref={frame}
      className={styles.frame}
      style={room}
      data-wide={isWide || undefined}
      data-narrow={isNarrow || undefined}
      data-awaited={rows === undefined ? '' : undefined}
    >
      <table className={styles.table} {...roles.table} aria-label={label} aria-busy={rows === undefined}>
        <thead className={styles.head} {...roles.rowgroup}>
          <tr {...roles.row}>
            {columns.map(({ header, kind }) => (
              <th key={header} className={styles.header} {...roles.columnheader} scope="col">
                {kind === 'actions' ? <VisuallyHidden>{header}</VisuallyHidden> : header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody {...roles.rowgroup}>
          {rows === undefined
            ? Array.from({ length: awaitedRows }, (_row, index) => (
                <AwaitedRow key={index} columns={columns} />
              ))
            : rows.map((row) => (
                <tr key={rowKey(row)} className={styles.row} {...roles.row}>
                  {columns.map((column) => (
                    <Cell key={column.header} header={column.header} kind={column.kind}>
                      {column.cell(row)}
                    </Cell>
                  ))}
                </tr>
              ))}
        </tbody>
      </table>
    </div>
  )
}

const narrowColumns = <Row,>(
  columns: readonly TableColumn<Row>[],
  narrow: (row: Row) => ReactNode,
): TableColumn<Row>[] => [
  { header: columns.find(({ kind }) => kind === 'title')?.header ?? '', kind: 'title', cell: narrow },
  ...columns.filter(({ kind }) => kind === 'actions'),
]

/** Returns whether the element is narrower than `least` pixels, measured before the first paint. */
function useIsNarrow(element: RefObject<HTMLElement | null>, least: number): boolean {
  const [isNarrow, setNarrow] = useState(false)
  useLayoutEffect(() => {
    if (element.current === null || least === 0) return
    const measure = (width: number) => setNarrow(width < least)
    measure(element.current.getBoundingClientRect().width)
    const observer = new ResizeObserver(
      ([entry]) => entry && measure(entry.borderBoxSize[0]?.inlineSize ?? least),
    )
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element, least])
  return isNarrow
}

/** Renders no header cell, because screen readers would announce an empty header. */
function AwaitedRow<Row>({ columns }: { columns: readonly TableColumn<Row>[] }) {
  return (
    <tr className={styles.row} {...roles.row}>
      {columns.map(({ header, kind }) => (
        <td
          key={header}
          className={kind === 'title' ? styles.title : styles.cell}
          {...roles.cell}
          data-kind={kind}
          data-header={header}
        >
          {kind === 'actions' ? null : <Skeleton width="12ch" />}
        </td>
      ))}
    </tr>
  )
}

interface CellProps {
  header: string
  kind: TableColumn<unknown>['kind']
  children: ReactNode
}

function Cell({ header, kind, children }: CellProps) {
  if (kind === 'title') {
    return (
      <th className={styles.title} {...roles.rowheader} scope="row">
        {children}
      </th>
    )
  }
  return (
    <td className={styles.cell} {...roles.cell} data-kind={kind} data-header={header}>
      {children}
    </td>
  )
}
