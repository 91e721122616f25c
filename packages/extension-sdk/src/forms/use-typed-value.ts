import { useEffect, useEffectEvent, useState } from 'react'

/** From the last letter to when somebody is taken to have finished typing. Milliseconds. */
const typingPause = 250

/**
 * A field whose text leads and whose place follows: `onSettled` is told when somebody has stopped typing something else
 * than `value`, such as a search that stands in the address. When `value` becomes another one from elsewhere, the field
 * shows that, unless somebody is typing.
 *
 * @example const [typed, setTyped] = useTypedValue(search, (search) => changeQuery({ search }))
 */
export function useTypedValue(value: string, onSettled: (value: string) => void) {
  const [field, setField] = useState({ text: value, isTyped: false })
  const [seen, setSeen] = useState(value)
  // The place follows in its own time: somebody who goes back to what stands there may have asked for something else meanwhile.
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
