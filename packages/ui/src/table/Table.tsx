import type { CSSProperties, ReactNode } from 'react'
import { Skeleton } from '../feedback/Skeleton.tsx'
import { VisuallyHidden } from '../text/VisuallyHidden.tsx'
import styles from './Table.module.css'

export interface TableColumn<Row> {
  /** Stands above the column, and beside each of its values where the rows are cards. */
  header: string
  /** What stands in the cell; nothing in a card when it is null. */
  cell: (row: Row) => ReactNode
  /**
   * `title`: what the row is called, the heading of its card. `actions`: buttons at the row's end, whose header is for
   * screen readers only.
   */
  kind?: 'title' | 'actions' | undefined
}

export interface TableProps<Row> {
  /** What the table lists ("Active devices"), for screen readers. */
  label: string
  columns: readonly TableColumn<Row>[]
  /** `undefined` while they are on their way; for no rows at all show an EmptyState instead. */
  rows: readonly Row[] | undefined
  rowKey: (row: Row) => string
  /** CSS pixels that the columns need: where there are fewer, the rows are cards. At least 600. */
  needs?: number | undefined
}

/** What the elements are anyway; but laid out as cards they would lose it in some browsers. */
const roles = {
  table: { role: 'table' },
  rowgroup: { role: 'rowgroup' },
  row: { role: 'row' },
  columnheader: { role: 'columnheader' },
  rowheader: { role: 'rowheader' },
  cell: { role: 'cell' },
} as const

/** So many need more room than others do. */
const manyColumns = 6

/** Below that all tables are cards, as their styles say. */
const cardsBelow = 600

/** Rows that hold their place until the real ones are there. */
const awaitedRows = 2

/**
 * A plain table of records, dense where there is room for its columns; where there is not, each row is a card. Put it
 * into a flush Card.
 */
export function Table<Row>({ label, columns, rows, rowKey, needs }: TableProps<Row>) {
  const isWide = columns.length >= manyColumns
  const room = { '--room': `${(needs ?? (isWide ? 720 : cardsBelow)) - cardsBelow}px` } as CSSProperties
  return (
    <div className={styles.frame} style={room} data-wide={isWide || undefined}>
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

/** Nothing in it is a header: a header without a name would be one that screen readers announce as empty. */
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
