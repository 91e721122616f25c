import type { DataTableColumn, DataTableSettings } from './data-table.ts'

const selectWidth = 44
const actionsWidth = 56

/** Returns the minimum width of a column in pixels. */
export const leastOf = ({ kind, minWidth = 80 }: Pick<DataTableColumn<object>, 'kind' | 'minWidth'>) =>
  kind === 'actions' ? actionsWidth : minWidth

/** Returns the widths of the columns as a CSS grid template, and their minimum total width in pixels. */
export function widthsOf<Row extends object>(
  columns: readonly DataTableColumn<Row>[],
  { widths = {} }: DataTableSettings,
  isSelectable: boolean,
): { template: string; least: number } {
  const tracks = columns.map(({ id, kind, width, minWidth }) => {
    const chosen = widths[id] ?? width ?? (kind === 'actions' ? actionsWidth : '1fr')
    const least = leastOf({ kind, minWidth })
    return typeof chosen === 'number'
      ? { css: `${Math.max(least, chosen)}px`, least: Math.max(least, chosen) }
      : { css: `minmax(${least}px, ${chosen})`, least }
  })
  const own = isSelectable ? [{ css: `${selectWidth}px`, least: selectWidth }] : []
  const all = [...own, ...tracks]
  return {
    template: all.map(({ css }) => css).join(' '),
    least: all.reduce((sum, { least }) => sum + least, 0),
  }
}

/**
 * Returns the columns that fit into `room` pixels. The last columns are omitted first; the title, the actions and the
 * column that orders the rows stay. Widths chosen by the user are ignored: with them the table may scroll.
 */
export function fittingColumns<Row extends object>(
  columns: readonly DataTableColumn<Row>[],
  { sort }: DataTableSettings,
  { room, isSelectable }: { room: number; isSelectable: boolean },
): readonly DataTableColumn<Row>[] {
  let fitting = columns
  while (widthsOf(fitting, {}, isSelectable).least > room) {
    const spare = fitting.findLast(
      ({ id, kind }) => kind !== 'title' && kind !== 'actions' && id !== sort?.column,
    )
    if (spare === undefined) break
    fitting = fitting.filter((column) => column !== spare)
  }
  return fitting
}
