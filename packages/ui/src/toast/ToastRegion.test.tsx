import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, onTestFinished, test, vi } from 'vitest'
import { ToastRegion } from './ToastRegion.tsx'
import { createToaster } from './toaster.ts'

test('opencollective/opencollective#4666 a message keeps its remaining time while the page is hidden', async () => {
  vi.useFakeTimers()
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(false)
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  onTestFinished(async () => {
    await act(async () => root.unmount())
    place.remove()
    hidden.mockRestore()
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })
  const toaster = createToaster({ durationMs: 5000 })
  const shown = () => document.querySelectorAll('[role=alertdialog]').length
  const wait = (milliseconds: number) => act(async () => vi.advanceTimersByTime(milliseconds))
  const setHidden = (isHidden: boolean) =>
    act(async () => {
      hidden.mockReturnValue(isHidden)
      document.dispatchEvent(new Event('visibilitychange'))
    })
  await act(async () =>
    root.render(<ToastRegion toaster={toaster} label="Notifications" closeLabel="Close" />),
  )
  await act(async () => void toaster.add({ tone: 'success', title: 'Saved' }))
  await wait(3000)
  await setHidden(true)
  await wait(60_000)
  expect(shown()).toBe(1)
  await setHidden(false)
  await wait(1999)
  expect(shown()).toBe(1)
  await wait(1)
  expect(shown()).toBe(0)
})
