import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { beforeEach, expect, test, vi } from 'vitest'
import { useBackCloses } from './use-back-closes.ts'

/** The watchers of the open layers, the topmost last. */
let watchers: EventTarget[] = []

beforeEach(() => {
  watchers = []
  vi.useFakeTimers()
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
  return () => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  }
})

/** Sends a close request, as a phone does when the user goes back. */
const goBack = () => watchers.pop()?.dispatchEvent(new Event('close'))

function Layer({ open, onClose }: { open: boolean; onClose: () => void }) {
  useBackCloses(open, onClose)
  return null
}

async function show(layers: readonly { open: boolean; onClose: () => void }[]) {
  const root = createRoot(document.createElement('div'))
  const render = (shown: typeof layers) =>
    act(async () => root.render(shown.map((layer, index) => <Layer key={`layer ${index + 1}`} {...layer} />)))
  await render(layers)
  return render
}

test('nolanlawson/pinafore#60 Back closes the topmost layer, once for each request', async () => {
  const [onPage, onMenu] = [vi.fn<() => void>(), vi.fn<() => void>()]
  const page = { open: true, onClose: onPage }
  const render = await show([page, { open: false, onClose: onMenu }])
  await render([page, { open: true, onClose: onMenu }])
  goBack()
  expect([onPage.mock.calls.length, onMenu.mock.calls.length]).toEqual([0, 1])
  // A layer that stays, for example to ask about its input, receives the next request, too.
  goBack()
  expect([onPage.mock.calls.length, onMenu.mock.calls.length]).toEqual([0, 2])
  await render([page, { open: false, onClose: onMenu }])
  goBack()
  expect([onPage.mock.calls.length, onMenu.mock.calls.length]).toEqual([1, 2])
  await render([])
  expect(watchers).toEqual([])
})

test('the close request that a browser sends for Esc is left to the layer', async () => {
  const onClose = vi.fn<() => void>()
  await show([{ open: true, onClose }])
  dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }))
  goBack()
  expect(onClose).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  goBack()
  expect(onClose).toHaveBeenCalledOnce()
})

test('a browser without close requests shows the layer', async () => {
  vi.stubGlobal('CloseWatcher', undefined)
  await expect(show([{ open: true, onClose: () => {} }])).resolves.toBeTypeOf('function')
})
