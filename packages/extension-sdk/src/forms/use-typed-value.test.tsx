import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useTypedValue } from './use-typed-value.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** The field of a place that follows when it is told to, by `placeIs`. */
function field(first: string) {
  const told: string[] = []
  const { result, rerender } = renderHook(({ value }) => useTypedValue(value, (text) => told.push(text)), {
    initialProps: { value: first },
  })
  return {
    told,
    text: () => result.current[0],
    type: (text: string) => act(() => result.current[1](text)),
    pause: () => act(() => void vi.advanceTimersByTime(250)),
    placeIs: (value: string) => rerender({ value }),
  }
}

test('the place receives the trimmed text once typing has paused', () => {
  const { told, text, type, pause } = field('')
  type('a')
  type(' ada ')
  expect(told).toEqual([])
  pause()
  expect(told).toEqual(['ada'])
  expect(text()).toBe(' ada ')
})

test('a return to the previous text before the place has followed is requested as well', () => {
  const { told, text, type, pause, placeIs } = field('')
  type('ada')
  pause()
  type('')
  pause()
  expect(told).toEqual(['ada', ''])
  placeIs('ada')
  placeIs('')
  expect(text()).toBe('')
})

test('an external change of the place is shown, and can be reverted', () => {
  const { told, text, type, pause, placeIs } = field('ada')
  placeIs('byron')
  expect(text()).toBe('byron')
  type('ada')
  pause()
  expect(told).toEqual(['ada'])
})

test('a change of the place during typing keeps the typed text', () => {
  const { told, text, type, pause, placeIs } = field('')
  type('ada')
  placeIs('byron')
  expect(text()).toBe('ada')
  pause()
  expect(told).toEqual(['ada'])
})
