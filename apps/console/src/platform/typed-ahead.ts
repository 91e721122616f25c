import { isTyped } from '@pult/ui'
import { overlay } from './overlay.ts'

const nothing = { text: '', isEntered: false }
let typed = nothing
let stop = () => {}

/**
 * Buffers the keys that are pressed between the opening of the palette and the load of its code, so that none reaches
 * the page. Returns a function that stops it.
 */
export function keepTypedAhead(): () => void {
  const unsubscribe = overlay.subscribe(() => {
    stop()
    if (overlay.get() !== 'palette') return
    typed = nothing
    // Captured before every other listener, because the keys are meant for the palette.
    addEventListener('keydown', keep, { capture: true })
    stop = () => removeEventListener('keydown', keep, { capture: true })
  })
  return () => {
    unsubscribe()
    stop()
  }
}

/** Passes on the buffered text, and whether Enter followed. The palette itself handles all further keys. */
export function handOverTyped(take: (text: string, isEntered: boolean) => void): void {
  stop()
  const { text, isEntered } = typed
  typed = nothing
  if (text !== '') take(text, isEntered)
}

/** Opens the palette with a text in its search. */
export function openPaletteWith(text: string): void {
  overlay.set('palette')
  typed = { text, isEntered: false }
}

function keep(event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey, altKey } = event
  if (ctrlKey || metaKey || altKey) return
  const { text } = typed
  if (isTyped(key)) typed = { text: text + key, isEntered: false }
  else if (key === 'Backspace') typed = { text: [...text].slice(0, -1).join(''), isEntered: false }
  else if (key === 'Enter') typed = { text, isEntered: text !== '' }
  else if (key === 'Escape') overlay.set(null)
  else return
  event.preventDefault()
  event.stopPropagation()
}
