import { useRef } from 'react'

/**
 * Returns a function for the idempotency key of a create. The same input has the same key, so that a repeat after a
 * lost response creates no second record. Different input has a new key.
 *
 * @example const keyOf = useRepeatableKey(); await call(endpoint, { body, idempotencyKey: keyOf(body) })
 */
export function useRepeatableKey(): (input: unknown) => string {
  const sent = useRef({ input: '', key: '' })
  return (input) => {
    const text = JSON.stringify(input)
    if (sent.current.input !== text) sent.current = { input: text, key: newKey() }
    return sent.current.key
  }
}

/** Does not use `randomUUID`, which is missing in pages without HTTPS. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
