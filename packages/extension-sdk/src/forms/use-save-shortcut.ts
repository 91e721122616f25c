import { type RefObject, useRef } from 'react'
import { useHotkey } from '../use-hotkey.ts'

/**
 * Returns a ref for a form that Ctrl+S, on Apple keyboards ⌘S, submits.
 *
 * @example <form ref={useSaveShortcut()} onSubmit={save}>
 */
export function useSaveShortcut(): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null)
  useHotkey('mod+s', () => form.current?.requestSubmit(), { whileTyping: true })
  return form
}
