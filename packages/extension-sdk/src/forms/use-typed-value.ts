import { useEffect, useEffectEvent, useState } from 'react'

/** Debounce delay in milliseconds. */
const typingPause = 250

/**
 * Debounces a text field whose value is stored elsewhere, such as a search in the address. Returns the field's text and
 * its setter. Calls `onSettled` with the trimmed text after 250 ms without typing, if the text differs from `value`.
 * When `value` changes from outside, the field shows it unless the user is typing.
 *
 * @example const [typed, setTyped] = useTypedValue(search, (search) => changeQuery({ search }))
 */
export function useTypedValue(value: string, onSettled: (value: string) => void) {
  const [field, setField] = useState({ text: value, isTyped: false })
  const [seen, setSeen] = useState(value)
  // The last reported text. `value` follows later, and the user may return to the previous text before it does.
  const [asked, setAsked] = useState(value)
  if (seen !== value) {
    setSeen(value)
    setAsked(value)
    if (!field.isTyped && field.text.trim() !== value) setField({ text: value, isTyped: false })
  }
  const settle = useEffectEvent((text: string) => {
    setField({ ...field, isTyped: false })
    if (text === asked) return
    setAsked(text)
    onSettled(text)
  })
  useEffect(() => {
    if (!field.isTyped) return
    const timer = setTimeout(() => settle(field.text.trim()), typingPause)
    return () => clearTimeout(timer)
  }, [field])
  return [field.text, (text: string) => setField({ text, isTyped: true })] as const
}
