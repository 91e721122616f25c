import { type KeyboardEvent, useRef } from 'react'
import { useUiEnvironment } from '../provider/UiProvider.tsx'
import { isTyped } from '../text/pressed-key.ts'

/** Longest pause in milliseconds between letters that belong together. */
const pause = 700

/** Returns the index of the next text that begins with the typed letters, from the current one on; null without one. */
type FirstMatch = (texts: readonly string[], current: number) => number | null

/** Returns a function that collects typed letters. It returns null for a key that types none. */
export function useTypedText(): (event: KeyboardEvent) => FirstMatch | null {
  const { locale = 'de' } = useUiEnvironment()
  const typed = useRef({ text: '', at: Number.NEGATIVE_INFINITY })
  return ({ key, altKey, ctrlKey, metaKey, timeStamp }) => {
    const continues = timeStamp - typed.current.at < pause
    // A space or a sign is a command, except in a name that has begun.
    const isText = isTyped(key) && (continues || /^[\p{L}\p{N}]/u.test(key))
    if (altKey || ctrlKey || metaKey || !isText) return null
    const text = (continues ? typed.current.text : '') + key
    typed.current = { text, at: timeStamp }
    const { compare } = new Intl.Collator(locale, { sensitivity: 'base' })
    return (texts, current) => {
      // With further letters, the current row may still match.
      const from = text.length > 1 ? current : current + 1
      const order = texts.map((_text, step) => (from + step) % texts.length)
      return order.find((index) => compare(texts[index]?.slice(0, text.length) ?? '', text) === 0) ?? null
    }
  }
}
