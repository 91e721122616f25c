import type { ReactNode } from 'react'

export interface DataTableColumn<Row extends object> {
  id: string
  header: string
  cell: (row: Row) => ReactNode
  /** `title`: the row's name, always shown. `number`: aligned at the end. `actions`: buttons at the row's end. */
  kind?: 'title' | 'number' | 'actions' | undefined
  /**
   * Value by which the column sorts; rows without one come last. `given`: the caller gives the rows in the order of
   * `settings.sort`, such as a list of which the server sends one page. Without it the column does not sort.
   */
  sortBy?: ((row: Row) => string | number | null) | 'given' | undefined
  /** Direction of the first press on the head; ascending by default. */
  sortsFirst?: 'ascending' | 'descending' | undefined
  /** First width in pixels, or a share of the room such as `2fr`; `1fr` by default. */
  width?: number | `${number}fr` | undefined
  /** Least width in pixels; 80 by default. */
  minWidth?: number | undefined
}

/** What a user has arranged, to be kept as JSON. */
export interface DataTableSettings {
  sort?: { column: string; direction: 'ascending' | 'descending' } | undefined
  /** Ids of the columns that are not shown. */
  hidden?: readonly string[] | undefined
  /** Widths in pixels by column id. */
  widths?: Readonly<Record<string, number>> | undefined
}

export interface DataTableProps<Row extends object> {
  /** Accessible name of the table. */
  label: string
  /** The most important first: where not all fit, the last ones are left out. */
  columns: readonly DataTableColumn<Row>[]
  /** A row whose object stays the same is not rendered again. Undefined while the rows load: skeletons take their place. */
  rows: readonly Row[] | undefined
  rowKey: (row: Row) => string
  /** What typing letters searches, and what a row's checkbox announces. */
  rowText: (row: Row) => string
  settings: DataTableSettings
  onSettingsChange: (settings: DataTableSettings) => void
  /** The keys of the selected rows. Without it rows have no checkboxes. */
  selected?: ReadonlySet<string> | undefined
  onSelectedChange?: ((selected: ReadonlySet<string>) => void) | undefined
  /** The content of a row where the columns do not fit (below 600 px): two lines. The actions stay beside it. */
  narrow: (row: Row) => ReactNode
  /** Height of a row in pixels: 38 by default, at least 44 for touch; 46 for two lines. */
  rowHeight?: number | undefined
  /** Height of a `narrow` row in pixels: 56 by default; 76 for three lines. */
  narrowRowHeight?: number | undefined
  /** CSS length above which the rows scroll inside the table; `70vh` by default. */
  maxHeight?: string | undefined
  /** Enter and double click on a row. */
  onOpen?: ((key: string) => void) | undefined
}

/** The properties once the rows have loaded. */
export interface LoadedTableProps<Row extends object> extends DataTableProps<Row> {
  rows: readonly Row[]
}
