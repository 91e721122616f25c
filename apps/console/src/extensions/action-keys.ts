import { pressedKeys, sameKeys } from '@pult/sdk/host'
import { isBehindDialog } from '#platform/is-behind-dialog.ts'
import { ownActions, runAction } from './actions.ts'

let isListening = false

/** Handles the shortcuts of extension actions. On window, so that elements on screen handle the keys first. */
export function listenForActions(): void {
  if (isListening) return
  isListening = true
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || isBehindDialog()) return
    const pressed = pressedKeys(event)
    const meant = ownActions().find(({ action: { shortcut } }) => shortcut && sameKeys(shortcut) === pressed)
    if (meant === undefined || isWriting(event)) return
    event.preventDefault()
    if (!event.repeat) void runAction(meant)
  })
}

/** In a text field a letter alone is input. */
const isWriting = ({ target, ctrlKey, metaKey, altKey }: KeyboardEvent) =>
  !ctrlKey &&
  !metaKey &&
  !altKey &&
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input, textarea, select'))
