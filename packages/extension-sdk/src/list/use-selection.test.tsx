import { act, renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useSelection } from './use-selection.ts'

interface Crane {
  _id: string
  label: string
}
const crane = (id: string, label = `Crane ${id}`): Crane => ({ _id: id, label })

const whole = (items: Crane[] | undefined) => ({ items, isWaiting: false, goBack: null, goNext: null })
const first = (items: Crane[]) => ({ ...whole(items), goNext: () => undefined })
const last = (items: Crane[]) => ({ ...whole(items), goBack: () => undefined })

/** Renders a selection of a list that `show` replaces. */
function selectionOf(list: Parameters<typeof useSelection<Crane>>[0]) {
  const { result, rerender } = renderHook(
    (shown: { list: typeof list; isFiltered: boolean }) => useSelection(shown.list, shown.isFiltered),
    { initialProps: { list, isFiltered: false } },
  )
  return {
    labels: () => result.current.items.map(({ label }) => label),
    elsewhere: () => result.current.elsewhere,
    ids: () => [...result.current.ids],
    set: (...ids: string[]) => act(() => result.current.set(new Set(ids))),
    add: (...items: Crane[]) => act(() => result.current.add(items)),
    clear: () => act(() => result.current.clear()),
    show: (next: typeof list, isFiltered = false) => rerender({ list: next, isFiltered }),
  }
}

test('GetDKAN/dkan#2230 records stay selected on other pages, and their number is known', () => {
  const { labels, elsewhere, ids, set, show, clear } = selectionOf(
    first([crane('1'), crane('2'), crane('3')]),
  )
  set('1', '3')
  expect([labels(), elsewhere()]).toEqual([['Crane 1', 'Crane 3'], 0])
  show(last([crane('4'), crane('5')]))
  expect([labels(), elsewhere()]).toEqual([['Crane 1', 'Crane 3'], 2])
  set('1', '3', '5', 'unknown')
  expect([ids(), elsewhere()]).toEqual([['1', '3', '5'], 2])
  show(first([crane('1'), crane('2'), crane('3')]))
  set('5')
  expect([labels(), elsewhere()]).toEqual([['Crane 5'], 1])
  clear()
  expect(ids()).toEqual([])
})

test('stashapp/stash#325 records that a search hides stay selected', () => {
  const { labels, elsewhere, set, show } = selectionOf(whole([crane('1'), crane('2')]))
  set('1', '2')
  show(whole([crane('2')]), true)
  expect([labels(), elsewhere()]).toEqual([['Crane 1', 'Crane 2'], 1])
})

test('a selected record is as it was last shown', () => {
  const { labels, set, show } = selectionOf(first([crane('1'), crane('2')]))
  set('1')
  show(first([crane('1', 'Gate'), crane('2')]))
  show(last([crane('3')]))
  expect(labels()).toEqual(['Gate'])
})

test('a deleted record is selected until the whole list is shown without it', () => {
  const { ids, set, show } = selectionOf(whole([crane('1'), crane('2')]))
  set('1', '2')
  show({ ...whole([crane('2')]), isWaiting: true })
  show(whole(undefined))
  show(first([crane('2')]))
  expect(ids()).toEqual(['1', '2'])
  show(whole([crane('2')]))
  expect(ids()).toEqual(['2'])
})

test('records are selected in addition, also those that the page does not show', () => {
  const { labels, elsewhere, set, add } = selectionOf(first([crane('1'), crane('2')]))
  set('2')
  add(crane('7'), crane('8'))
  expect([labels(), elsewhere()]).toEqual([['Crane 2', 'Crane 7', 'Crane 8'], 2])
})
