import type { ReactNode } from 'react'

export interface DataTableColumn<Row extends object> {
  id: string
  header: string
  cell: (row: Row) => ReactNode
  /** `title`: the row's name, always shown. `number`: aligned at the end. `actions`: buttons at the row's end. */
  kind?: 'title' | 'number' | 'actions' | undefined
  /**
   * Value by which the column sorts; rows without a value come last. `given`: the caller passes the rows in the order
   * of `settings.sort`, for example one page of a list that the server sorts. Without it the column does not sort.
   */
  sortBy?: ((row: Row) => string | number | null) | 'given' | undefined
  /** Direction after the first press on the header; ascending by default. */
  sortsFirst?: 'ascending' | 'descending' | undefined
  /**
   * Initial width in pixels, or a share of the space such as `2fr`; `1fr` by default. Pixels here and below are those of
   * the usual font size: with a larger one of the browser, columns and rows grow with their texts.
   */
  width?: number | `${number}fr` | undefined
  /** Minimum width in pixels; 80 by default. */
  minWidth?: number | undefined
}

/** A user's arrangement of the table, serialisable as JSON. */
export interface DataTableSettings {
  sort?: { column: string; direction: 'ascending' | 'descending' } | undefined
  /** Ids of the columns that are not shown. */
  hidden?: readonly string[] | undefined
  /** Widths in pixels by column id. */
  widths?: Readonly<Record<string, number>> | undefined
}

/** The place of the rows in a longer list: the result of `usePagedList`. */
export interface TablePage {
  /** Number of records on the previous pages. */
  before: number
  /** Number of records of all pages. */
  total: number
  /** Set if more than `total` records exist. */
  isCapped: boolean
}

export interface DataTableProps<Row extends object> {
  /** Accessible name of the table. */
  label: string
  /** The most important columns first: if not all fit, the last ones are omitted. */
  columns: readonly DataTableColumn<Row>[]
  /**
   * Undefined while the rows load: skeletons are shown instead. A row whose object stays the same is not rendered
   * again.
   */
  rows: readonly Row[] | undefined
  /** Set for one page of a list, so that screen readers announce the numbers of all records. */
  page?: TablePage | undefined
  rowKey: (row: Row) => string
  /** Text that typed letters match, and the accessible name of the row's checkbox. */
  rowText: (row: Row) => string
  settings: DataTableSettings
  onSettingsChange: (settings: DataTableSettings) => void
  /** Keys of the selected rows, also those of other pages. Without it, rows have no checkboxes. */
  selected?: ReadonlySet<string> | undefined
  onSelectedChange?: ((selected: ReadonlySet<string>) => void) | undefined
  /** Content of a row if the table is narrower than 600 px: two lines. The actions stay beside it. */
  narrow: (row: Row) => ReactNode
  /** Height of a row in pixels: 38 by default, at least 44 for touch; 46 for two lines. */
  rowHeight?: number | undefined
  /** Height of a `narrow` row in pixels: 56 by default; 76 for three lines. */
  narrowRowHeight?: number | undefined
  /** CSS length above which the rows scroll inside the table; `70vh` by default. */
  maxHeight?: string | undefined
  /** Called on Enter and double click on a row. */
  onOpen?: ((key: string) => void) | undefined
}

/** The properties once the rows have loaded. */
export interface LoadedTableProps<Row extends object> extends DataTableProps<Row> {
  rows: readonly Row[]
}
