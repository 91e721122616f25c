import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, onTestFinished, test, vi } from 'vitest'
import { HeaderCell } from './DataGridHeader.tsx'
import type { DataTableSettings } from './data-table.ts'

test('guardian/frontend#6850 a column is resized in pixels of the usual font size', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  document.documentElement.style.fontSize = '20px'
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 200, 36))
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  onTestFinished(async () => {
    await act(async () => root.unmount())
    place.remove()
    document.documentElement.style.fontSize = ''
    vi.restoreAllMocks()
    vi.unstubAllGlobals()
  })
  const change = vi.fn<(settings: DataTableSettings) => void>()
  const column = { id: 'name', header: 'Name', cell: () => null }
  await act(async () =>
    root.render(<HeaderCell column={column} settings={{}} onSettingsChange={change} isResizable />),
  )
  place
    .querySelector('[role=separator]')
    ?.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }))
  expect(change).toHaveBeenCalledWith({ widths: { name: 176 } })
})
