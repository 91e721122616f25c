import { useEffect, useRef, useState } from 'react'

export interface HotkeyOptions {
  /** Also while the focus is in a field in which one writes. @default false */
  whileTyping?: boolean
  /** @default true */
  isEnabled?: boolean
}

interface Hotkey {
  keys: string
  whileTyping: boolean
  /** How many dialogs were open when it came: those below another dialog are silent. */
  layer: number
  /** What is rendered later lies inside or above. */
  place: number
  run: () => void
}

const hotkeys = new Set<Hotkey>()
let rendered = 0

/**
 * Runs the handler when the keys are pressed: `mod+s`, `shift+?`, `Escape`. `mod` is Ctrl, on Apple keyboards ⌘. Of
 * several for the same keys the topmost wins: that of the open dialog, else of the innermost component. The browser's own
 * meaning of the keys is set aside.
 *
 * @example useHotkey('mod+enter', send, { whileTyping: true })
 */
export function useHotkey(keys: string, handler: () => void, options: HotkeyOptions = {}): void {
  const { whileTyping = false, isEnabled = true } = options
  const [place] = useState(() => rendered++)
  const latest = useRef(handler)
  useEffect(() => {
    latest.current = handler
  })
  useEffect(() => {
    if (!isEnabled) return
    const hotkey = {
      keys: inOrder(keys),
      whileTyping,
      layer: openDialogs(),
      place,
      run: () => latest.current(),
    }
    if (hotkeys.size === 0) document.addEventListener('keydown', press)
    hotkeys.add(hotkey)
    return () => {
      hotkeys.delete(hotkey)
      if (hotkeys.size === 0) document.removeEventListener('keydown', press)
    }
  }, [keys, whileTyping, isEnabled, place])
}

function press(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return
  const pressed = pressedKeys(event)
  const isTyping = isWritable(event.target)
  const meant = [...hotkeys].filter(({ keys, whileTyping }) => keys === pressed && (whileTyping || !isTyping))
  if (meant.length === 0) return
  // Also below a dialog: the browser would do something else instead.
  event.preventDefault()
  if (event.repeat) return
  const layer = openDialogs()
  const [topmost] = meant.filter((hotkey) => hotkey.layer >= layer).toSorted((a, b) => b.place - a.place)
  topmost?.run()
}

/** Short messages call themselves dialogs, too, but leave the page as it is. */
const openDialogs = () =>
  document.querySelectorAll(':is([role="dialog"], [role="alertdialog"]):not([aria-modal="false"])').length

const modifiers = ['mod', 'alt', 'shift']

/** The modifiers in one order, the key last. */
function inOrder(keys: string): string {
  const parts = keys.toLowerCase().split('+')
  return [...modifiers.filter((name) => parts.includes(name)), parts.at(-1)].join('+')
}

function pressedKeys({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): string {
  const held = [ctrlKey !== metaKey && 'mod', altKey && 'alt', shiftKey && 'shift']
  return [...held.filter((name) => name !== false), key.toLowerCase()].join('+')
}

function isWritable(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target instanceof HTMLTextAreaElement) return true
  if (target instanceof HTMLSelectElement) return true
  return (
    target instanceof HTMLInputElement && !/^(?:button|checkbox|radio|submit|reset|range)$/.test(target.type)
  )
}
