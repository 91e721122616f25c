import { useEffect, useRef, useState } from 'react'
import { useConsoleHostIfAny } from './host.ts'
import { addHotkey } from './hotkeys.ts'

export interface HotkeyOptions {
  /** Makes the keys work while a text field has the focus, too. @default false */
  whileTyping?: boolean
  /** @default true */
  isEnabled?: boolean
  /** Description in the list of shortcuts (`?`). Without it, the shortcut is not listed. */
  label?: string
}

let rendered = 0

/**
 * Runs the handler when the keys are pressed: `mod+s`, `shift+?`, `Escape`. `mod` is Ctrl, on Apple keyboards ⌘. If
 * several handlers have the same keys, the one of the open dialog runs, or else that of the innermost component. In an
 * app window, the keys work only while that window is in use. The browser's default action of the keys is prevented. In
 * layouts without Latin letters, such as Cyrillic, the place of the key on an English keyboard counts.
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
