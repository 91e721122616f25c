import type { DataTableColumn, DataTableSettings } from './data-table.ts'

const selectWidth = 44
const actionsWidth = 56

/** Returns the minimum width of a column in pixels. */
export const leastOf = ({ kind, minWidth = 80 }: Pick<DataTableColumn<object>, 'kind' | 'minWidth'>) =>
  kind === 'actions' ? actionsWidth : minWidth

/** Average pixels of a character of a heading, its padding, and the arrow of a sorted column. */
const heading = { character: 6.7, padding: 24, arrow: 17 }

/** Returns the width in pixels at which a heading is not cut off. */
const headingOf = (header: string, canSort: boolean) =>
  Math.ceil(header.length * heading.character) + heading.padding + (canSort ? heading.arrow : 0)

/** Returns a width of the usual font size as a CSS length that grows with the texts. */
export const inRem = (pixels: number) => `${pixels / 16}rem`

/**
 * Returns the widths of the columns as a CSS grid template, their minimum total width in pixels, and their shares of a
 * sheet of paper, which does not scroll.
 */
export function widthsOf<Row extends object>(
  columns: readonly DataTableColumn<Row>[],
  { widths = {} }: DataTableSettings,
  isSelectable: boolean,
): { template: string; least: number; paper: string } {
  const tracks = columns.map(({ id, kind, width, minWidth, header, sortBy }) => {
    const chosen = widths[id] ?? width ?? (kind === 'actions' ? actionsWidth : '1fr')
    const own = leastOf({ kind, minWidth })
    // The heading of actions is hidden, and a user may have chosen less than a heading needs.
    const isFree = kind !== 'actions' && widths[id] === undefined
    const least = isFree ? Math.max(own, headingOf(header, sortBy !== undefined)) : own
    return typeof chosen === 'number'
      ? { css: inRem(Math.max(least, chosen)), least: Math.max(least, chosen) }
      : { css: `minmax(${inRem(least)}, ${chosen})`, least }
  })
  const boxes = isSelectable ? [{ css: inRem(selectWidth), least: selectWidth }] : []
  const all = [...boxes, ...tracks]
  return {
    template: all.map(({ css }) => css).join(' '),
    least: all.reduce((sum, { least }) => sum + least, 0),
    paper: all.map(({ least }) => `minmax(0, ${least}fr)`).join(' '),
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
