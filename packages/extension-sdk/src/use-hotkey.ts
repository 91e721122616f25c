import { useEffect, useRef, useState } from 'react'
import { useConsoleHostIfAny } from './host.ts'
import { addHotkey } from './hotkeys.ts'

export interface HotkeyOptions {
  /** Whether the key also works while a text field has the focus. @default false */
  whileTyping?: boolean
  /** @default true */
  isEnabled?: boolean
  /** Its description in the list of shortcuts (`?`). Without it the shortcut is not listed. */
  label?: string
}

let rendered = 0

/**
 * Runs the handler when the keys are pressed: `mod+s`, `shift+?`, `Escape`. `mod` is Ctrl, on Apple keyboards ⌘. Of
 * several for the same keys the topmost wins: that of the open dialog, else of the innermost component. In an app that is
 * a window they work while one works in that window. The browser's own meaning of the keys is set aside.
 *
 * @example useHotkey('mod+enter', send, { whileTyping: true, label: 'Send' })
 */
export function useHotkey(keys: string, handler: () => void, options: HotkeyOptions = {}): void {
  const { whileTyping = false, isEnabled = true, label } = options
  const surface = useConsoleHostIfAny()?.surface
  const [place] = useState(() => rendered++)
  const latest = useRef(handler)
  useEffect(() => {
    latest.current = handler
  })
  useEffect(() => {
    if (!isEnabled) return
    return addHotkey({ keys, whileTyping, place, surface, label, run: () => latest.current() })
  }, [keys, whileTyping, isEnabled, place, surface, label])
}
