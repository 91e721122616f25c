import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { beforeEach, expect, test, vi } from 'vitest'
import { Dialog } from '../dialog/Dialog.tsx'
import { ComboBox } from './ComboBox.tsx'

/** The watchers of the open layers, the topmost last. */
let watchers: EventTarget[] = []

beforeEach(() => {
  watchers = []
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  vi.stubGlobal(
    'CloseWatcher',
    class extends EventTarget {
      constructor() {
        super()
        watchers.push(this)
      }
      destroy() {
        watchers = watchers.filter((watcher) => watcher !== this)
      }
    },
  )
  return () => vi.unstubAllGlobals()
})

/** Sends a close request, as a phone does when the user goes back. */
const goBack = () => act(async () => watchers.pop()?.dispatchEvent(new Event('close')))

test('mui/material-ui#12766 Back closes the list of a field, and only then the dialog around it', async () => {
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  const onClose = vi.fn<() => void>()
  await act(async () =>
    root.render(
      <Dialog open title="Schedule" onClose={onClose}>
        <ComboBox
          label="Time zone"
          options={[{ id: 'utc', text: 'UTC' }]}
          value="utc"
          onChange={() => {}}
          emptyText="No such time zone"
        />
      </Dialog>,
    ),
  )
  // The dialog alone: the closed list leaves Back to it.
  expect(watchers).toHaveLength(1)
  const field = document.querySelector<HTMLInputElement>('[role=combobox]')
  await act(async () => field?.focus())
  expect(field?.getAttribute('aria-expanded')).toBe('true')
  await goBack()
  expect(field?.getAttribute('aria-expanded')).toBe('false')
  expect(onClose).not.toHaveBeenCalled()
  await goBack()
  expect(onClose).toHaveBeenCalledOnce()
  await act(async () => root.unmount())
  place.remove()
})
