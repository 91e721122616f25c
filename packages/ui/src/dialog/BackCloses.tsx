import { use } from 'react'
import { OverlayTriggerStateContext } from 'react-aria-components/Dialog'
import { useBackCloses } from './use-back-closes.ts'

/** Closes the React Aria layer around it when the user goes back: see {@link useBackCloses}. */
export function BackCloses() {
  const layer = use(OverlayTriggerStateContext)
  useBackCloses(layer?.isOpen === true, () => layer?.close())
  return null
}
