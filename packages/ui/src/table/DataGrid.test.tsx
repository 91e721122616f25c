import { act, useState } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { beforeEach, expect, test, vi } from 'vitest'
import { UiProvider } from '../provider/UiProvider.tsx'
import { DataGrid } from './DataGrid.tsx'
import type { DataTableColumn, LoadedTableProps } from './data-table.ts'

interface Row {
  name: string
}

const columns: DataTableColumn<Row>[] = [
  { id: 'name', header: 'Name', kind: 'title', cell: ({ name }) => name, sortBy: ({ name }) => name },
  {
    id: 'actions',
    header: 'Actions',
    kind: 'actions',
    cell: ({ name }) => <button type="button">Delete {name}</button>,
  },
]
const named = (...names: string[]): Row[] => names.map((name) => ({ name }))
const numbered = (count: number) => named(...Array.from({ length: count }, (_, index) => `Box ${index + 1}`))

let place: HTMLElement
let root: Root
let selected: ReadonlySet<string>
beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  // As if the user had opened another page.
  history.pushState({ key: crypto.randomUUID() }, '')
  place = document.body.appendChild(document.createElement('div'))
  root = createRoot(place)
  selected = new Set()
  return async () => {
    await act(async () => root.unmount())
    place.remove()
    document.documentElement.style.fontSize = ''
    vi.unstubAllGlobals()
  }
})

interface GridProps extends Partial<LoadedTableProps<Row>> {
  rows: Row[]
  locale?: string
}

function Grid({ locale, ...props }: GridProps) {
  const [chosen, setChosen] = useState(props.selected)
  return (
    <UiProvider locale={locale}>
      <DataGrid
        label="Boxes"
        columns={columns}
        rowKey={({ name }) => name}
        rowText={({ name }) => name}
        settings={{}}
        onSettingsChange={() => {}}
        onSelectedChange={(next) => setChosen((selected = next))}
        narrow={({ name }) => name}
        {...props}
        selected={chosen}
      />
    </UiProvider>
  )
}

const show = (props: GridProps) => act(async () => root.render(<Grid {...props} />))
const rows = () => [...place.querySelectorAll<HTMLElement>('[role=row][data-index]')]
const names = () => rows().map((row) => row.getAttribute('aria-label'))
const row = (name: string) => rows().find((one) => one.getAttribute('aria-label') === name)
const focusedRow = () => document.activeElement?.getAttribute('aria-label')
const focus = (name: string) => act(async () => row(name)?.focus())
const allBox = () => place.querySelector<HTMLInputElement>('input[aria-label=Boxes]')

interface Press extends KeyboardEventInit {
  /** When the key is pressed, in milliseconds. */
  at?: number
}

const press = (key: string, { at, ...more }: Press = {}) =>
  act(async () => {
    const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more })
    if (at !== undefined) Object.defineProperty(event, 'timeStamp', { value: at })
    document.activeElement?.dispatchEvent(event)
  })

test('the focus stays on its row when rows appear above it, and moves to the next one when its row leaves', async () => {
  await show({ rows: named('A', 'B', 'C') })
  await focus('B')
  await show({ rows: named('X', 'A', 'B', 'C') })
  await press('ArrowDown')
  expect(focusedRow()).toBe('C')
  await press('ArrowUp')
  await show({ rows: named('X', 'A', 'C') })
  expect(row('C')?.tabIndex).toBe(0)
})

test('memberapp#479 Back returns to the place in the list and to its row, another page begins at the top', async () => {
  const scroller = () => place.querySelector<HTMLElement>('[role=grid]')?.parentElement
  const shownAgain = async (key: string) => {
    await act(async () => root.unmount())
    history.pushState({ key }, '')
    root = createRoot(place)
    await show({ rows: numbered(100) })
    return scroller()?.scrollTop
  }
  expect(await shownAgain('list')).toBe(0)
  await focus('Box 3')
  await act(async () => {
    const view = scroller()
    if (view) view.scrollTop = 900
    view?.dispatchEvent(new Event('scroll'))
  })
  expect(await shownAgain('another list')).toBe(0)
  expect(await shownAgain('list')).toBe(900)
  expect(row('Box 3')?.tabIndex).toBe(0)
})

test('a range is selected from its first row, also after rows have appeared above it', async () => {
  await show({ rows: named('A', 'B', 'C'), selected: new Set() })
  await focus('A')
  await press('ArrowDown')
  await show({ rows: named('X', 'A', 'B', 'C'), selected: new Set() })
  await press('ArrowDown', { shiftKey: true })
  expect([...selected]).toEqual(['B', 'C'])
})

test('grafana/grafana#118774 the numbers of rows count the records of all pages', async () => {
  const numbers = () => [
    place.querySelector('[role=grid]')?.getAttribute('aria-rowcount'),
    rows()[0]?.getAttribute('aria-rowindex'),
  ]
  await show({ rows: numbered(38), page: { before: 200, total: 238, isCapped: false } })
  expect(numbers()).toEqual(['239', '202'])
  await show({ rows: numbered(38), page: { before: 200, total: 10_000, isCapped: true } })
  expect(numbers()).toEqual(['-1', '202'])
  await show({ rows: numbered(3) })
  expect(numbers()).toEqual(['4', '2'])
})

test('GetDKAN/dkan#2230 all rows of a page are selected and deselected without those of other pages', async () => {
  await show({ rows: named('A', 'B'), selected: new Set(['elsewhere']) })
  await act(async () => allBox()?.click())
  expect([...selected]).toEqual(['elsewhere', 'A', 'B'])
  await act(async () => allBox()?.click())
  expect([...selected]).toEqual(['elsewhere'])
  await focus('A')
  await press('a', { ctrlKey: true })
  expect([...selected]).toEqual(['elsewhere', 'A', 'B'])
})

test('typed letters move the focus to the next row that begins with them, without a difference of accents', async () => {
  await show({ rows: named('Kran 1', 'Kran 2', 'Ähre', 'Apfel', 'Zebra'), selected: new Set() })
  await focus('Kran 1')
  await press('k', { at: 1000 })
  expect(focusedRow()).toBe('Kran 2')
  await press('K', { at: 2000 })
  expect(focusedRow()).toBe('Kran 1')
  await press('a', { at: 3000 })
  expect(focusedRow()).toBe('Ähre')
  await press('p', { at: 3500 })
  expect(focusedRow()).toBe('Apfel')
  await press('z', { at: 5000, ctrlKey: true })
  expect(focusedRow()).toBe('Apfel')
  for (const [index, key] of 'kran 2'.split('').entries()) await press(key, { at: 6000 + index * 100 })
  expect(focusedRow()).toBe('Kran 2')
  expect(selected.size).toBe(0)
  await press(' ', { at: 9000 })
  expect([...selected]).toEqual(['Kran 2'])
})

test('silverbulletmd/silverbullet#614 a table has the order of the lists in every language', async () => {
  await show({
    rows: named('Zebra', 'Kran 10', 'Ähre', 'Kran 2'),
    settings: { sort: { column: 'name', direction: 'ascending' } },
    locale: 'sv',
  })
  expect(names()).toEqual(['Ähre', 'Kran 2', 'Kran 10', 'Zebra'])
})

test('GoogleChrome/lighthouse#9155 a printed table has all rows and no controls', async () => {
  await show({ rows: numbered(100), selected: new Set(['Box 1']) })
  const controls = () => place.querySelectorAll('input, [data-kind=actions]').length
  expect(rows().length).toBeLessThan(50)
  expect(controls()).toBeGreaterThan(0)
  await act(async () => dispatchEvent(new Event('beforeprint')))
  expect(names()).toEqual(numbered(100).map(({ name }) => name))
  expect(controls()).toBe(0)
  await act(async () => dispatchEvent(new Event('afterprint')))
  expect(rows().length).toBeLessThan(50)
  expect(controls()).toBeGreaterThan(0)
})

test('guardian/frontend#6850 rows are higher with a larger font size of the browser', async () => {
  document.documentElement.style.fontSize = '20px'
  await show({ rows: numbered(3), narrowRowHeight: 76 })
  expect(row('Box 2')?.style.height).toBe('95px')
})
