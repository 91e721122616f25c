import { pressedKey } from '@pult/ui'
import { goTo } from '#platform/go-to.ts'
import { isBehindDialog } from '#platform/is-behind-dialog.ts'
import { isField } from '#platform/is-field.ts'
import { letterKeys } from '#platform/letter-keys.ts'
import { pages } from '../pages/pages.tsx'
import { frameLayer } from './frame-layer.ts'

/** Milliseconds between the two letters of a combination. */
const pause = 1500

/** Elements in which letters search. */
const searchable = '[role=grid], [role=listbox], [role=menu], [role=tree], [data-row]'

const single: Record<string, () => void> = {
  p: () => frameLayer.set('projects'),
}

/** The letters after G. */
const afterG: Record<string, () => void> = {
  a: () => frameLayer.set('apps'),
  ...Object.fromEntries(
    Object.values(pages).flatMap(({ path, letter }) =>
      letter === undefined ? [] : [[letter, () => goTo(path)]],
    ),
  ),
}

/** Handles the single letters of the frame. Returns the function that stops it. */
export function listenToLetters(): () => void {
  let startedAt = Number.NEGATIVE_INFINITY
  const press = (event: KeyboardEvent) => {
    const { ctrlKey, metaKey, altKey, shiftKey, target, timeStamp } = event
    if (event.defaultPrevented || ctrlKey || metaKey || altKey || shiftKey) return
    if (letterKeys.get() === 'off' || isField(target) || isBehindDialog()) return
    if (target instanceof Element && target.closest(searchable) !== null) return
    const key = pressedKey(event)
    const keys = timeStamp - startedAt < pause ? afterG : single
    startedAt = key === 'g' ? timeStamp : Number.NEGATIVE_INFINITY
    const run = keys[key]
    if (run === undefined) return
    event.preventDefault()
    run()
  }
  // On window, so that an app can handle the same keys first.
  addEventListener('keydown', press)
  return () => removeEventListener('keydown', press)
}
