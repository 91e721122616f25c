import { pressedKeys, sameKeys } from '@pult/sdk/host'
import { isBehindDialog } from '#platform/is-behind-dialog.ts'
import { ownActions, runAction } from './actions.ts'

let isListening = false

/** The shortcuts of the extensions' actions. On the window: what is on screen is asked first. */
export function listenForActions(): void {
  if (isListening) return
  isListening = true
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing || isBehindDialog()) return
    const pressed = pressedKeys(event)
    const meant = ownActions().find(({ action: { shortcut } }) => shortcut && sameKeys(shortcut) === pressed)
    if (meant === undefined || isWriting(event)) return
    event.preventDefault()
    if (!event.repeat) void runAction(meant.action)
  })
}

/** A letter alone is text where one writes. */
const isWriting = ({ target, ctrlKey, metaKey, altKey }: KeyboardEvent) =>
  !ctrlKey &&
  !metaKey &&
  !altKey &&
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input, textarea, select'))
