import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, test, vi } from 'vitest'
import { FileDrop } from './FileDrop.tsx'

test.each([
  { dragged: 'Files', disabled: false, accepts: true },
  { dragged: 'Files', disabled: true, accepts: false },
  { dragged: 'text/plain', disabled: false, accepts: false },
])('dropzone/dropzone#1101 dragged $dragged, disabled: $disabled, accepted: $accepts', async (given) => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  await act(async () =>
    root.render(
      <FileDrop
        label="Choose"
        hint="or drop"
        dropLabel="Drop"
        disabled={given.disabled}
        onFiles={() => {}}
      />,
    ),
  )
  const over = new Event('dragover', { bubbles: true, cancelable: true })
  Object.defineProperty(over, 'dataTransfer', { value: { types: [given.dragged] } })
  place.querySelector('button')?.dispatchEvent(over)
  expect(over.defaultPrevented).toBe(given.accepts)
  await act(async () => root.unmount())
  place.remove()
  vi.unstubAllGlobals()
})
