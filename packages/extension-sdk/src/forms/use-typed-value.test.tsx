import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useTypedValue } from './use-typed-value.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Renders the field of a stored value that `store` changes. */
function field(first: string) {
  const settled: string[] = []
  const { result, rerender } = renderHook(({ value }) => useTypedValue(value, (text) => settled.push(text)), {
    initialProps: { value: first },
  })
  return {
    settled,
    text: () => result.current[0],
    type: (text: string) => act(() => result.current[1](text)),
    pause: () => act(() => void vi.advanceTimersByTime(250)),
    store: (value: string) => rerender({ value }),
  }
}

test('a typing pause reports the trimmed text', () => {
  const { settled, text, type, pause } = field('')
  type('a')
  type(' ada ')
  expect(settled).toEqual([])
  pause()
  expect(settled).toEqual(['ada'])
  expect(text()).toBe(' ada ')
})

test('a return to the previous text is reported before the stored value has followed', () => {
  const { settled, text, type, pause, store } = field('')
  type('ada')
  pause()
  type('')
  pause()
  expect(settled).toEqual(['ada', ''])
  store('ada')
  store('')
  expect(text()).toBe('')
})

test('the field shows an external change, which typing can revert', () => {
  const { settled, text, type, pause, store } = field('ada')
  store('byron')
  expect(text()).toBe('byron')
  type('ada')
  pause()
  expect(settled).toEqual(['ada'])
})

test('an external change during typing keeps the typed text', () => {
  const { settled, text, type, pause, store } = field('')
  type('ada')
  store('byron')
  expect(text()).toBe('ada')
  pause()
  expect(settled).toEqual(['ada'])
})
