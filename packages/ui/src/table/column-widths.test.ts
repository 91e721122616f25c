import { expect, test } from 'vitest'
import { fittingColumns, widthsOf } from './column-widths.ts'
import type { DataTableColumn, DataTableSettings } from './data-table.ts'

const columns: DataTableColumn<object>[] = [
  { id: 'name', header: 'Name', kind: 'title', minWidth: 140, cell: () => null },
  { id: 'email', header: 'E-mail', width: '1.6fr', minWidth: 232, cell: () => null },
  { id: 'factor', header: 'Second factor', width: 116, cell: () => null },
  { id: 'created', header: 'Created', width: 112, cell: () => null },
  { id: 'actions', header: 'Actions', kind: 'actions', cell: () => null },
]
const idsIn = (room: number, settings: DataTableSettings = {}, isSelectable = false) =>
  fittingColumns(columns, settings, { room, isSelectable }).map(({ id }) => id)

test('a narrow table omits its last columns first, never its title or its actions', () => {
  expect(fittingColumns(columns, {}, { room: 656, isSelectable: false })).toBe(columns)
  expect(idsIn(655)).toEqual(['name', 'email', 'factor', 'actions'])
  expect(idsIn(656, {}, true)).toEqual(['name', 'email', 'factor', 'actions'])
  expect(idsIn(428)).toEqual(['name', 'email', 'actions'])
  expect(idsIn(50)).toEqual(['name', 'actions'])
})

test('a narrow table keeps the column that orders its rows, and ignores widths that a user has chosen', () => {
  const sort = { column: 'created', direction: 'ascending' } as const
  expect(idsIn(560, { sort })).toEqual(['name', 'email', 'created', 'actions'])
  expect(idsIn(656, { widths: { email: 900 } })).toHaveLength(5)
})

test('a column is at least as wide as its heading with the arrow of its order, unless a user has chosen less', () => {
  const seen: DataTableColumn<object> = {
    id: 'seen',
    header: 'Zuletzt gesehen',
    width: 112,
    cell: () => null,
  }
  const leastOf = (column: DataTableColumn<object>, settings: DataTableSettings = {}) =>
    widthsOf([column], settings, false).least
  expect(leastOf(seen)).toBe(125)
  expect(leastOf({ ...seen, sortBy: 'given' })).toBe(142)
  expect(leastOf({ ...seen, header: 'Seen' })).toBe(112)
  expect(leastOf(seen, { widths: { seen: 90 } })).toBe(90)
})

test('guardian/frontend#6850 columns grow with the texts in them', () => {
  expect(widthsOf(columns, { widths: { created: 20 } }, true)).toEqual({
    template: '2.75rem minmax(8.75rem, 1fr) minmax(14.5rem, 1.6fr) 7.25rem 5rem 3.5rem',
    least: 668,
    paper:
      'minmax(0, 44fr) minmax(0, 140fr) minmax(0, 232fr) minmax(0, 116fr) minmax(0, 80fr) minmax(0, 56fr)',
  })
})
