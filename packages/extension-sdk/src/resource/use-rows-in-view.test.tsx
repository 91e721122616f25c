import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, test, vi } from 'vitest'
import { useRowsInView } from './use-rows-in-view.ts'

test('metabase/metabase#13613 a page that is being printed draws all rows, and loads only those in view', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  const seen: ReturnType<typeof useRowsInView>[] = []
  function Rows() {
    const result = useRowsInView<HTMLDivElement>(50)
    seen.push(result)
    return <div ref={result[0]} />
  }
  const root = createRoot(document.createElement('div'))
  await act(async () => root.render(<Rows />))
  const [, onScreen] = seen.at(-1) ?? []
  expect(onScreen?.last).toBeLessThan(50)
  await act(async () => dispatchEvent(new Event('beforeprint')))
  expect(seen.at(-1)?.slice(1)).toEqual([{ first: 0, last: Number.POSITIVE_INFINITY }, onScreen])
  await act(async () => dispatchEvent(new Event('afterprint')))
  expect(seen.at(-1)?.slice(1)).toEqual([onScreen, onScreen])
  await act(async () => root.unmount())
  vi.unstubAllGlobals()
})
