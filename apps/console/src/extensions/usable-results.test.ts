import { expect, test } from 'vitest'
import { usableState, usableText, usableThings } from './usable-results.ts'

const pump = { id: 'north', label: 'North pump', path: 'pumps/north' }

test('valid results of a search provider are returned, at most the first eight', () => {
  expect(usableThings([{ ...pump, detail: 'Hall 7', icon: 'box' }])).toHaveLength(1)
  expect(usableThings(Array.from({ length: 100_000 }, () => pump))).toHaveLength(8)
})

test.each<[string, unknown]>([
  ['no list', { items: [pump] }],
  ['nothing', undefined],
  ['an empty place', [pump, null]],
  ['a number for the label', [{ ...pump, label: 7 }]],
  ['no path', [{ id: 'north', label: 'North pump' }]],
  ['an object for the detail', [{ ...pump, detail: {} }]],
])('a search provider that returns %s fails alone', (_what, result) => {
  expect(() => usableThings(result)).toThrow(TypeError)
})

test('the state of a navigation entry is valid with and without count and status', () => {
  expect(usableState({ label: '' })).toEqual({ label: '' })
  const state = { count: 24, status: 'danger', label: '24 pumps, 1 stopped' }
  expect(usableState(state)).toEqual(state)
})

test.each<[string, unknown]>([
  ['nothing', null],
  ['no label', { count: 3 }],
  ['an object for the count', { label: '3 pumps', count: {} }],
  ['no number', { label: '3 pumps', count: Number.NaN }],
  ['an unknown status', { label: '3 pumps', status: 'constructor' }],
])('a navigation entry that returns %s shows no state', (_what, result) => {
  expect(() => usableState(result)).toThrow(TypeError)
})

test('the text of an empty card is a string or absent', () => {
  expect([usableText('No pumps yet'), usableText(null), usableText(undefined)]).toEqual([
    'No pumps yet',
    null,
    null,
  ])
  expect(() => usableText({})).toThrow(TypeError)
})
