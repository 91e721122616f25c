import { expect, test } from 'vitest'
import { firstRowsOf, learnPage, noPlaces, type PagePlaces } from './page-places.ts'

const loaded: PagePlaces = [
  { after: null, size: 200, isEnd: false },
  { after: 'b', size: 200, isEnd: false },
  { after: 'c', size: 30, isEnd: true },
]

test('CRUD-01 each loaded page leads to the next one, the last one to none', () => {
  const one = learnPage(noPlaces, 0, { size: 200, next: 'b' })
  const two = learnPage(one, 1, { size: 200, next: 'c' })
  expect(two).toEqual([...loaded.slice(0, 2), { after: 'c', size: 0, isEnd: false }])
  expect(learnPage(two, 2, { size: 30, next: null })).toEqual(loaded)
  expect(firstRowsOf(loaded)).toEqual([0, 200, 400, 430])
})

test('a refetched page without changes changes nothing', () => {
  expect(learnPage(loaded, 1, { size: 200, next: 'c' })).toBe(loaded)
  expect(learnPage(loaded, 2, { size: 30, next: null })).toBe(loaded)
  expect(learnPage(loaded, 9, { size: 30, next: null })).toBe(loaded)
})

test('a page whose end has moved drops the pages after it', () => {
  expect(learnPage(loaded, 0, { size: 200, next: 'a' })).toEqual([
    { after: null, size: 200, isEnd: false },
    { after: 'a', size: 0, isEnd: false },
  ])
  expect(learnPage(loaded, 0, { size: 12, next: null })).toEqual([{ after: null, size: 12, isEnd: true }])
})
