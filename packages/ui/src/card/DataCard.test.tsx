import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { DataCard, type DataCardState } from './DataCard.tsx'

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test.each([
  { after: 100, shows: 'filled', why: 'a skeleton that has not appeared yet is omitted' },
  { after: 250, shows: 'loading', why: 'a skeleton that has just appeared stays' },
  { after: 600, shows: 'filled', why: 'a skeleton that has been visible for 300 ms disappears immediately' },
])('an answer after $after ms: $why', async ({ after, shows }) => {
  const place = document.createElement('div')
  const root = createRoot(place)
  const show = (state: DataCardState) =>
    act(async () =>
      root.render(
        <DataCard title="Fleet" state={state}>
          24 edges
        </DataCard>,
      ),
    )
  const shown = () => place.querySelector('section')?.dataset['state']
  await show({ kind: 'loading', skeleton: '…' })
  await act(async () => vi.advanceTimersByTime(after))
  await show({ kind: 'filled' })
  expect(shown()).toBe(shows)
  await act(async () => vi.advanceTimersByTime(Math.max(0, 500 - after)))
  expect(shown()).toBe('filled')
  expect(place.textContent).toContain('24 edges')
  await act(async () => root.unmount())
})
